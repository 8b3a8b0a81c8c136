/** Dynamic DNS as a companion: how it is, and an update that is forced. */
import { z } from 'zod'
import type { Companion } from '../../../http/companion.ts'
import { callerOf, Changing } from '../../../http/access/caller-of.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { DOMAIN_NAME } from '../../../model/text/form.ts'
import { readStatus, type StatusParts } from './status.ts'
import { forceUpdate, type UpdateParts } from './update.ts'
import { DdnsStatus, PlannedUpdate, UpdateAnswer } from '../views.ts'

const tags = [
  { name: 'Dynamic DNS', description: 'Addresses that change: how they are, and an update that is forced' },
]
const address = (what: string) => z.string().max(64).optional().describe(what)

const UpdateRequest = z
  .strictObject({
    host: z
      .string()
      .max(1024)
      .meta({ ...DOMAIN_NAME })
      .optional()
      .describe(
        'One name; without an address, only its sources are read. With one the hub host, where it is left out',
      ),
    ip: address('Reported for it; left out: the sources are read'),
    ipv6: address('Reported for it, beside the other or alone'),
  })
  .optional()
  .meta({ id: 'DdnsUpdateRequest', examples: [{ host: 'home.example.com' }] })

export interface CompanionParts extends StatusParts, UpdateParts {
  readonly listen: Companion['listen']
}

export const ddnsCompanion = (parts: CompanionParts): Companion => ({
  name: 'ddns',
  title: 'Plumbline dynamic DNS',
  description:
    'Names whose address changes: what gateways and sources reported, what is published, and a forced update.',
  listen: parts.listen,
  endpoints: companionEndpoints(parts),
  // Where a call that goes on is looked after.
  shares: ['getOperation'],
  configured: () =>
    parts.ddns.hub_host !== null ||
    parts.ddns.addresses.hosts().length > 0 ||
    parts.sources.states.length > 0,
})

const companionEndpoints = (parts: CompanionParts): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/status',
    id: 'ddnsStatus',
    summary: 'How each name is',
    level: 'open',
    tags,
    replies: { 200: DdnsStatus },
    handler: async () => ok(await readStatus(parts)),
  }),
  endpoint({
    method: 'POST',
    path: '/update',
    id: 'forceDdnsUpdate',
    summary: 'Read the sources, or take an address, and bring DNS to it now',
    description:
      'An address that is given is a report, with the rules of reports: public, and not back and forth.',
    level: 'keyed',
    tags,
    query: Changing.omit({ confirm: true }),
    body: UpdateRequest,
    respond_async: 'asked',
    replies: { 200: PlannedUpdate.or(UpdateAnswer) },
    problems: ['not_found', 'ddns_disabled', 'rate_limited', 'storage_full', 'storage_unwritable'],
    handler: async (call) => {
      const { host = null, ip, ipv6 } = call.body ?? {}
      const given = [
        ...(ip === undefined ? [] : [{ name: 'ip', value: ip }]),
        ...(ipv6 === undefined ? [] : [{ name: 'ipv6', value: ipv6 }]),
      ]
      const caller = callerOf({ ...call, query: call.query })
      return ok(await forceUpdate(parts, { host, given }, caller))
    },
  }),
]
