/** The installation in one answer. */
import { z } from 'zod'
import { AuditEntry } from '../../http/trail-page.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { DomainStats } from '../../http/common-views.ts'
import { Operation } from '../../http/openapi/operation-schema.ts'
import { ok } from '../../http/ok.ts'
import { type OverviewDeps, readOverview } from './read-overview.ts'
import { OpenAlert } from '../notifications/views.ts'
import { ControlPlaneHealth } from '../health/views.ts'
import { instant } from '../../http/body/scalars.ts'

const Overview = z
  .object({
    at: instant(),
    event: z.int().describe('Number of the newest event that is in it: go on from there'),
    version: z.string(),
    health: ControlPlaneHealth,
    alerts: z
      .object({ observed_at: instant(), open: z.array(OpenAlert) })
      .nullable()
      .describe('By the last look for them; null before the first, which is not "none"'),
    counts: DomainStats,
    release: z
      .object({ release: z.int(), at: instant(), actor: z.string(), reason: z.string() })
      .nullable()
      .describe('The newest'),
    operations: z.array(Operation).describe('That run, the newest first; at most 20'),
    certificates: z
      .object({
        observed_at: instant(),
        detail: z.string().nullable().describe('Why some are not known'),
        ends: z
          .array(
            z.object({
              name: z.string(),
              source: z.enum(['manager', 'proxy']),
              not_after: instant(),
              domains: z.int().describe('How many it serves'),
              last_error: z.string().nullable(),
            }),
          )
          .describe('Of those that are used and end within 90 days, or have ended; the next one first'),
        later: z.int().describe('How many end after that'),
        missing: z.int().describe('How many are wanted and not there yet'),
      })
      .nullable()
      .describe('As they were read last; null before that'),
    modes_set: z
      .int()
      .describe('How many settings of modes stand that were set over the API: GET /api/modes tells of them'),
    unknown_certificates: z.int().describe('How many domains have a certificate lamp that is unknown'),
    addresses: z.object({
      fixed: z.array(z.string()).describe('PLUMBLINE_PUBLIC_IP and PLUMBLINE_PUBLIC_IPV6'),
      reported: z.array(
        z.object({
          host: z.string(),
          ipv4: z.string().nullable(),
          ipv6: z.string().nullable(),
          changed_at: instant().describe('When either of them last changed'),
          reported_at: instant(),
        }),
      ),
    }),
    audit: z.array(AuditEntry).describe('The last ten entries, newest first'),
  })
  .meta({ id: 'Overview' })

export const overviewEndpoints = (deps: OverviewDeps, version: string): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/overview',
    id: 'overview',
    summary:
      'The installation in one answer: verdict, alerts, what is under way, what ends soon, what changed',
    description:
      'By what is known already, each part with its age: nothing is looked at for it. What is not known is null, never empty.',
    level: 'keyed',
    tags: ['System'],
    replies: { 200: Overview },
    handler: async () => ok(await readOverview(deps, version)),
  }),
]
