/** What the trail says of a change: who made it, at whose request, by which plan. */
import type { Instant } from '../../kernel/clock.ts'
import { requestOf } from '../../model/actor.ts'
import type { RefusedRow } from '../../model/plan.ts'
import type { AuditEntry } from '../../ports/records/trails.ts'
import type { AuditFacts } from './facts.ts'
import type { Change } from '../commit/change.ts'
import type { Caller } from '../caller.ts'

/** What was left out is in the trail, too. */
export const audited = ({ audit }: Change<unknown>, refused: readonly RefusedRow[]): readonly AuditFacts[] =>
  refused.length === 0
    ? audit
    : audit.map((facts) => ({
        ...facts,
        detail: { ...facts.detail, refused: refused.map(({ domain }) => domain) },
      }))

export interface AuditContext {
  readonly caller: Caller
  readonly at: Instant
  readonly plan_hash: string | null
}

export const auditEntry = (facts: AuditFacts, { caller, at, plan_hash }: AuditContext): AuditEntry => ({
  ...facts,
  at,
  actor: caller.actor.name,
  ...requestOf(caller.actor),
  plan_hash,
  detail: facts.detail ?? {},
})
