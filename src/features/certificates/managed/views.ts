/** The shape of the answers about certificates of our own, declared once. */
import { z } from 'zod'
import { OUTCOMES } from '../../../model/report.ts'
import { LISTED_STATES } from './read-certificates.ts'
import { countsOf, instant } from '../../../http/body/scalars.ts'
import { certificateFacts, certificateState } from '../endpoints.ts'
import { Plan } from '../../../http/common-views.ts'
import { acts, differenceWithActs, driftCause, driftState } from '../../../http/difference-views.ts'
import type { Answered } from '../../../http/contract.ts'

const users = z.array(z.object({ domain_id: z.int(), domain: z.string() }))

export const Certificates = z
  .object({
    manager: z.object({
      configured: z.boolean().describe('False while PLUMBLINE_ACME_DIRECTORY is not set'),
      directory: z.string().nullable(),
      detail: z.string().nullable().describe('Why something of it could not be read'),
    }),
    drift: driftState().describe(
      'Of the manager’s, of the file that names them, and of what is served; null where neither is configured',
    ),
    differences: z.array(differenceWithActs),
    wire: z
      .object({
        configured: z.boolean().describe('False while PLUMBLINE_TLS_ADDRESS is not set'),
        address: z.object({ host: z.string(), port: z.int() }).nullable(),
        drift: driftState(),
        names: z.int().describe('Deployed with TLS'),
        not_served: z.int().describe('Those that are shown another certificate than their own'),
        detail: z.string().nullable().describe('Why it is not known'),
        observed_at: instant().nullable().describe('The oldest handshake that is told of here'),
      })
      .describe('What the proxy serves, by a handshake with each name'),
    store: z.object({
      configured: z.boolean().describe('False while PLUMBLINE_ACME_STORE is not set'),
      fresh: z
        .boolean()
        .nullable()
        .describe('False: what is told of the proxy’s is an older reading, or nothing'),
      detail: z.string().nullable(),
    }),
    counts: countsOf(LISTED_STATES),
    certificates: z.array(
      z.object({
        source: z.enum(['manager', 'proxy']).describe('Who obtains and renews it'),
        name: z.string().describe('The first of its names, which it is called by'),
        names: z.array(z.string()),
        state: z.enum(LISTED_STATES).describe('missing: wanted, and not there yet'),
        drift: driftState().describe('Null for the proxy’s own, which nothing here keeps'),
        cause: driftCause.nullable().describe('Why it is not as it should be; null where it is'),
        certificate: z.object({ ...certificateFacts, state: certificateState }).nullable(),
        domains: users.describe('Deployed domains that it serves'),
        wanted: z.boolean(),
        in_use: z.boolean().nullable().describe('The proxy’s file names it; null for the proxy’s own'),
        directory: z.string().nullable().describe('The authority’s'),
        resolver: z.string().nullable().describe('The proxy’s'),
        order_step: z.string().nullable().describe('The last step of the order that runs'),
        next_attempt_at: instant()
          .nullable()
          .describe('Of the renewal, or of the next try; null when not known'),
        last_error: z.string().nullable().describe('In plain words, with what would help'),
        budget: z
          .object({
            issued: z.int().describe('For the same names, of what counts now'),
            most: z.int().describe('That are risked before the authority’s own limit'),
            within_days: z.int(),
          })
          .nullable()
          .describe('Of the authority for these names; null for the proxy’s own'),
        acts,
      }),
    ),
  })
  .meta({ id: 'Certificates' })

export const NameResult = z.object({
  name: z.string(),
  names: z.array(z.string()),
  domains: users,
  outcome: z.enum(OUTCOMES).nullable(),
  message: z.string().nullable().describe('Why it did not end well, or how far it came'),
  serial: z.string().nullable().describe('Of what is there; null where nothing is'),
  not_after: instant().nullable(),
  next_attempt_at: instant().nullable(),
})
export type NameResult = Answered<typeof NameResult>

export const TlsAnswer = z
  .object({
    success: z.boolean().describe('All that are wanted are there, and the file names them'),
    configured: z.boolean().describe('False while PLUMBLINE_ACME_DIRECTORY is not set'),
    message: z.string(),
    results: z.array(NameResult),
    file: z.object({ outcome: z.enum(OUTCOMES), message: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'TlsReconciled' })
export type TlsAnswer = Answered<typeof TlsAnswer>

export const TlsPlanned = z
  .object({ dry_run: z.literal(true), plan: Plan, file_plan: Plan })
  .meta({ id: 'TlsPlanned' })
export type TlsPlanned = Answered<typeof TlsPlanned>
