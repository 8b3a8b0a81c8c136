/** Dynamic DNS as a companion: how it is, and an update that is forced. */
import { z } from 'zod'
import type { Companion } from '../../../http/companion.ts'
import { callerOf, Changing } from '../../../http/access/caller-of.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import { DOMAIN_NAME } from '../../../model/text/form.ts'
import { flapping, refused, waiting } from '../endpoints.ts'
import { NOT_IN_FORCE } from '../hosts/in-force.ts'
import { PUBLISHED_STATES, readStatus, type StatusParts } from './status.ts'
import { forceUpdate, type UpdateParts } from './update.ts'

const tags = [
  { name: 'Dynamic DNS', description: 'Addresses that change: how they are, and an update that is forced' },
]
const instant = () => z.string().describe('RFC 3339, UTC')

const published = z
  .object({
    A: z.array(z.string()),
    AAAA: z.array(z.string()),
    state: z
      .enum(PUBLISHED_STATES)
      .describe('unknown: nothing is published for it, or the check could not tell'),
  })
  .describe('As the last check of DNS found it; nothing is asked for this')

const Status = z
  .object({
    status: z.enum(['ok', 'degraded', 'unknown']),
    hub_host: z.string().nullable(),
    checked_at: instant().nullable().describe('When DNS was checked last; null before the first time'),
    hosts: z.array(
      z.object({
        host: z.string(),
        domain_id: z.int().nullable(),
        ipv4: z.string().nullable(),
        ipv6: z.string().nullable(),
        reported_at: instant().nullable(),
        changed_at: instant().nullable(),
        source: z
          .string()
          .nullable()
          .describe('A source of PLUMBLINE_DDNS_SOURCES, or where its address comes from'),
        published,
        last_error: z
          .string()
          .nullable()
          .describe('Of its source, else of the last report where that was refused'),
        refused,
        flapping,
        waiting,
      }),
    ),
    rotation: z.object({
      next_at: instant(),
      last_at: instant().nullable(),
      rotation_due: z.array(z.string()).describe('Hosts whose token is to be rotated by somebody'),
    }),
    sources: z.array(
      z.object({
        name: z.string(),
        host: z.string(),
        addresses: z.array(z.string()),
        at: instant().nullable().describe('Null before it was read'),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'DdnsStatus' })

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

const updatedHost = z.object({
  host: z.string(),
  addresses: z.array(z.string()),
  because: z.enum(NOT_IN_FORCE).nullable().describe('Why it is kept and not published; null where it counts'),
})

const Updated = z
  .object({
    dry_run: z.boolean().describe('Nothing was taken, and nothing was done: this is what would become of it'),
    success: z.boolean().describe('Every source could be read, and DNS was brought to what is released'),
    message: z.string(),
    changed: z.array(updatedHost).describe('What holds from now on'),
    unchanged: z.array(updatedHost),
    waiting: z
      .array(updatedHost.extend({ due_at: instant() }))
      .describe(
        'What changes less than a minute after the last change, or goes back and forth: taken when it is due, if nothing else is reported until then',
      ),
    failed: z.array(z.object({ name: z.string().describe('A source, or dns'), error: z.string() })),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'DdnsUpdated' })

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
    replies: { 200: Status },
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
    replies: { 200: Updated },
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
