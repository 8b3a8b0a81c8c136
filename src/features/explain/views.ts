/** The shape of what is known to be right, of why a domain is as it is, and of everything that differs: declared once. */
import { z } from 'zod'
import { STATUSES } from '../../model/domain/record.ts'
import { DRIFT_CAUSES } from '../../model/drift.ts'
import { REACTIONS } from '../../model/reaction.ts'
import { GUARD_RULES } from '../../model/plan.ts'
import { SSO_CAUSES, SSO_LISTS } from '../sso/report.ts'
import { acts, differenceWithActs } from '../../http/difference-views.ts'
import { Rival } from '../routes/rival-schema.ts'
import type { Answered } from '../../http/contract.ts'
import { condition } from '../health/views.ts'
import { instant } from '../../http/body/scalars.ts'

const excerpt = (side: string) => z.string().nullable().describe(`What ${side} for the domain`)

const ExplainedComponent = z.object({
  component: z.string(),
  key: z.string(),
  agrees: z.boolean().nullable().describe('Null when the world could not be read'),
  cause: z.enum(DRIFT_CAUSES).nullable(),
  desired: excerpt('the saved edition asks'),
  released: excerpt('the deployed edition asks'),
  observed: excerpt('is there'),
  kept: z
    .array(z.string())
    .describe('What stands there for the domain though nothing asks for it, as after a deactivation'),
  differences: z.array(differenceWithActs).describe('Of this domain, and those that belong to none'),
  observed_at: instant(),
  unknown_because: z.string().nullable(),
  applied: z.boolean().describe('False while the newest release was never seen there'),
  condition: z.object(condition),
  engine: z.object({
    will: z.enum(REACTIONS),
    because: z.string(),
    mode: z.enum(['repair', 'observe', 'suspend']),
    mode_reason: z.string(),
    suspended_until: instant().nullable(),
    guard: z.object({ rule: z.enum(GUARD_RULES), message: z.string(), confirmable: z.boolean() }).nullable(),
    failures: z.int().describe('Failed tries in a row'),
    next_attempt_at: instant().nullable().describe('When it looks or tries next at the latest'),
  }),
})

export const ExplainedDomain = z
  .object({
    domain_id: z.int(),
    domain: z.string(),
    status: z.enum(STATUSES),
    revision: z.int(),
    summary: z.string(),
    saved: z
      .object({ at: instant(), actor: z.string(), request_id: z.string(), action: z.string() })
      .nullable()
      .describe('Who made the present revision'),
    not_published: z
      .string()
      .nullable()
      .describe('Why no DNS record is made of it though it is live; null where one is, or none is asked for'),
    no_certificate: z
      .string()
      .nullable()
      .describe(
        'Why nobody obtains a certificate for it though it is live with TLS, and what helps; null where somebody does, one that is held covers it, or none is wanted',
      ),
    released_revision: z.int().nullable().describe('Null when nothing of the record is deployed'),
    released: z
      .object({
        release: z.int(),
        at: instant(),
        actor: z.string(),
        request_id: z.string(),
        reason: z.string(),
      })
      .nullable()
      .describe('The newest release that moved the record, in or out'),
    undone: z
      .object({
        at: instant(),
        component: z.string(),
        count: z.int(),
        items: z.array(z.object({ item: z.string(), detail: z.string() })).describe('The first twenty'),
        kept_as: z.array(z.string()).describe('Where what was overwritten is kept'),
      })
      .nullable()
      .describe(
        'The newest edit of somebody else’s that was undone, as the audit trail tells it (undo_edit)',
      ),
    warnings: z
      .array(z.string())
      .describe('What of the saved record, and of the deployed one, is allowed and unwise'),
    pending: z.boolean(),
    acts: acts.describe('What can be done about the domain as a whole'),
    components: z.array(ExplainedComponent),
    served: z
      .object({
        agrees: z.boolean().nullable().describe('Null when the proxy could not be seen'),
        cause: z.enum(DRIFT_CAUSES).nullable(),
        differences: z.array(differenceWithActs),
        beside: z.array(Rival).describe('What else stands beside its routers, and is no drift'),
        unknown_because: z.string().nullable(),
        observed_at: instant(),
      })
      .nullable()
      .describe('What the proxy makes of its routes; null while PLUMBLINE_TRAEFIK_API is not set'),
    sign_in: z
      .array(
        z.object({
          list: z.enum(SSO_LISTS),
          domain: z.string(),
          cause: z.enum(SSO_CAUSES),
          detail: z.string(),
          cure: z.string(),
        }),
      )
      .describe(
        'Where signing in is not as the record says, in the words of GET /api/sso/drift; an open route first',
      ),
    not_proven: z
      .string()
      .nullable()
      .describe(
        'Why nobody knows that it is closed to whoever has not signed in, where it was asked now; else null',
      ),
  })
  .meta({ id: 'ExplainedDomain' })
export type ExplainedDomain = Answered<typeof ExplainedDomain>

export const EverythingDrift = z
  .object({
    drift: z
      .boolean()
      .nullable()
      .describe(
        'True when anything differs; null when nothing was seen to differ and not everything could be seen',
      ),
    components: z.array(
      z.object({
        component: z.string(),
        key: z.string(),
        drift: z.boolean().nullable(),
        reason: z.string().nullable().describe('Why it is unknown'),
        differences: z.array(differenceWithActs),
        unified_diff: z.string().nullable(),
        note: z.string().nullable(),
        observed_at: instant(),
      }),
    ),
    pending: z.array(z.object({ domain_id: z.int(), domain: z.string(), revision: z.int().nullable() })),
  })
  .meta({ id: 'EverythingDrift' })
export type EverythingDrift = Answered<typeof EverythingDrift>
