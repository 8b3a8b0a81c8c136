/** How the looks at a domain came out. */
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { instant, wholeNumber } from '../../http/body/scalars.ts'
import { ok } from '../../http/ok.ts'
import { LOOK_STATES } from './buckets.ts'
import type { Deps } from './deps.ts'
import { readHistory } from './read-history.ts'

const counts = {
  ok: z.int().min(0).describe('Looks at which it answered'),
  bad: z.int().min(0).describe('Looks at which it did not'),
  unknown: z.int().min(0).describe('Looks that found nothing out'),
}

const DomainHistory = z
  .object({
    domain_id: z.int(),
    domain: z.string(),
    of: z.literal('probe'),
    at: instant(),
    bucket_seconds: z.int(),
    looks_every_seconds: z
      .int()
      .nullable()
      .describe('How often its backend is looked at; null where backends are not (PLUMBLINE_BACKEND_LOOKS)'),
    uptime: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'Percent of the looks that found something out, never rounded up; null where none did. Unknown is not up',
      ),
    ...counts,
    last: z
      .object({
        at: instant(),
        state: z.enum(LOOK_STATES),
        message: z.string(),
        backend_reachable: z.boolean().nullable().describe('Null where it was not tried'),
      })
      .nullable()
      .describe('The last look; null where nobody has looked since the start'),
    buckets: z
      .array(z.object({ at: instant().describe('When it began'), ...counts }))
      .describe('The oldest first, four for each hour, also those in which nobody looked'),
  })
  .meta({ id: 'DomainHistory' })

export const historyEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/domains/{domain_id}/history',
    id: 'domainHistory',
    summary: 'How the looks at a domain came out',
    description:
      'In quarters of an hour. At regular looks a connection to its backend is opened, and what the proxy was seen to answer ' +
      'meanwhile, by the proof and the handshake, counts along with it. Kept for 24 hours. Nothing is looked at for the answer.',
    level: 'keyed',
    tags: ['Conditions'],
    params: z.object({ domain_id: wholeNumber({ min: 1 }) }),
    query: z.object({
      of: z.enum(['probe']).optional().describe('Default probe'),
      hours: wholeNumber({ min: 1, max: 24 }).optional().describe('Default 24'),
    }),
    replies: { 200: DomainHistory },
    problems: ['not_found'],
    handler: async ({ params, query }) => ok(await readHistory(deps, params.domain_id, query.hours ?? 24)),
  }),
]
