/**
 * What a look outside of the passes has found at a key: kept until a later look or pass says otherwise, and shown on every
 * page.
 */
import type { Instant } from '../../kernel/clock.ts'
import type { Condition } from '../../model/condition.ts'
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { Report } from '../../model/report.ts'
import type { FoundDifferences } from './kept-keys.ts'
import type { LookTurn } from '../look-order.ts'

export interface CallerLook {
  /** When the look began, in the order of all looks. */
  readonly turn: LookTurn
  readonly at: Instant
  /** Whether the world differs from the released edition; null when it could not be read. */
  readonly deviates: DriftState
  readonly unknown_because: string | null
  /** Between the world and the working edition. */
  readonly differences: readonly ExplainedDifference[]
}

/** What was known before a look. */
export interface KnownBefore {
  readonly rows: readonly Condition[]
  readonly found: FoundDifferences | null
}

/** Pure. Whether a look says something that was not known: then a pass is to see to it. */
export function isNews({ deviates, differences }: CallerLook, { rows, found }: KnownBefore): boolean {
  const statuses = new Set(rows.map(({ status }) => status))
  if (deviates === null) return statuses.has('true')
  if (!deviates) return statuses.has('false') || statuses.has('unknown')
  return !statuses.has('false') || found === null || !isSame(differences, found)
}

/** As far as differences are kept: all of them are counted, and the first are compared. */
function isSame(differences: readonly ExplainedDifference[], found: FoundDifferences): boolean {
  const counts = [...found.causes.values()].reduce((sum, count) => sum + count, 0)
  return (
    counts === differences.length &&
    found.differences.every((one, i) => {
      const other = differences[i]
      return one.item === other?.item && one.cause === other.cause && one.detail === other.detail
    })
  )
}

/** Before the first pass nothing is known but what the look says. */
export const noPassYet = (component: string, key: string, at: Instant): Report => ({
  component,
  key,
  outcome: 'unknown',
  differences: 0,
  repaired: 0,
  failure: null,
  refusals: [],
  release: 0,
  observed_at: at,
  took_ms: 0,
  next_attempt_at: at,
})
