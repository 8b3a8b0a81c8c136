/** What leads where. */
import { z } from 'zod'
import { isoTime } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { endpoint, type Endpoint } from '../../../http/contract.ts'
import { ok } from '../../../http/ok.ts'
import type { Deps } from '../deps.ts'
import { mapOf } from './map-of.ts'
import { DeployedMap } from '../views.ts'

const name = () =>
  z
    .string()
    .min(1)
    .max(255)
    .overwrite((text) => text.toLowerCase().replace(/\.$/, ''))

export const mapEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/map',
    id: 'map',
    summary: 'What leads where: entry point, domain, policy, service, machine',
    description:
      'Of what is deployed, in five columns. Above 200 in a column what belongs together is one node with its count; zone and ' +
      'machine show a part of it. Nothing is looked at for it.',
    level: 'keyed',
    tags: ['System'],
    query: z.object({
      zone: name().optional().describe('Only domains at or below this name'),
      machine: name().optional().describe('Only domains with this backend host'),
    }),
    replies: { 200: DeployedMap },
    reply_headers: { ETag: 'Of nodes and edges' },
    weak_tag: true,
    handler: async ({ query }) => {
      const map = await readMap(deps, query)
      const etag = sha256([Buffer.from(JSON.stringify({ ...map, at: null }))]).slice(0, 32)
      return ok(map, { ETag: `"${etag}"` })
    },
  }),
]

interface MapAsked {
  readonly zone?: string | undefined
  readonly machine?: string | undefined
}

/** What is deployed, or the part of it at or below a name, or behind a machine. */
async function readMap(deps: Deps, { zone, machine }: MapAsked) {
  const { rows } = await deps.store.intent('released')
  const live = rows.filter(
    ({ live, fields }) =>
      live &&
      fields.service_type !== 'manual' &&
      (zone === undefined || fields.domain === zone || fields.domain.endsWith(`.${zone}`)) &&
      (machine === undefined || fields.backend_host === machine),
  )
  return {
    at: isoTime(deps.clock.now()),
    release: (await deps.store.latestRelease())?.number ?? 0,
    domains: live.length,
    ...mapOf(live, deps),
  }
}
