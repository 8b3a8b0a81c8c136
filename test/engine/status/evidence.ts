/** What conditions are worked out from: the report of a pass, and a look after it. */
import { conditionsAfter, type Seen } from '../../../src/engine/status/conditions.ts'
import type { Condition } from '../../../src/model/condition.ts'
import type { DriftCause } from '../../../src/model/drift.ts'
import type { Outcome, Report } from '../../../src/model/report.ts'

export const A = 'a.example.com'
export const B = 'b.example.com'
const DOMAINS = new Map([
  [A, { domain_id: 1, released_revision: 4 }],
  [B, { domain_id: 2, released_revision: 7 }],
])

interface Wish {
  readonly message?: string
  readonly code?: 'internal' | 'shutting_down' | 'restored_from_backup'
  readonly differences?: number
  readonly repaired?: number
}

export const aReport = (outcome: Outcome, wish: Wish = {}): Report => ({
  component: 'routes',
  key: 'routes',
  outcome,
  differences: wish.differences ?? 0,
  repaired: wish.repaired ?? 0,
  refusals: [],
  failure:
    wish.message === undefined
      ? null
      : { code: wish.code ?? 'internal', message: wish.message, retry_after_ms: 0 },
  release: 1,
  observed_at: 0,
  took_ms: 1,
  next_attempt_at: 0,
})

/** A look that finds these differences: cause and domain, or no domain. */
export const aLook = (
  found: readonly (readonly [DriftCause, string | null])[],
  over: Partial<Seen> = {},
): Seen => ({
  deviates: true,
  unknown_because: null,
  rule: null,
  differences: found.map(([cause, domain], i) => ({
    item: `item ${i}`,
    cause,
    domains: domain === null ? [] : [domain],
    detail: '',
  })),
  ...over,
})

export interface Step {
  readonly report: Report
  readonly observed?: Seen | null
  readonly at?: number
  readonly domains?: typeof DOMAINS
  readonly besieged?: boolean
}

export const after = (
  present: readonly Condition[],
  { report, observed = null, at = 1, domains = DOMAINS, besieged = false }: Step,
) => conditionsAfter(present, { report, observed, at, domains, besieged })

export const brief = (rows: readonly Condition[]): string[] =>
  rows.map(
    ({ domain_id, status, reason, last_transition_at }) =>
      `${domain_id} ${status} ${reason} since ${last_transition_at}`,
  )
