/** What the index keeps of one key between its reports, and how it begins. */
import type { Instant } from '../../kernel/clock.ts'
import type { Condition } from '../../model/condition.ts'
import type { Intent } from '../../model/intent.ts'
import type { GuardRule } from '../../model/plan.ts'
import { isGood, type Report } from '../../model/report.ts'
import type { ObservationTurn } from '../observation.ts'
import type { AnyTarget } from '../target.ts'
import { type CallerObservation, type FoundDifferences, keptDifferences } from './caller-observation.ts'

export interface Entry {
  readonly target: AnyTarget
  rows: readonly Condition[]
  /** As the store has them. */
  stored: readonly Condition[]
  /** What the last report was worked out from: the same again says nothing new. */
  read: Reading | null
  /** Null while unknown. */
  found: FoundDifferences | null
  /** The last report, and the guard that it was refused by. */
  report: Report | null
  rule: GuardRule | null
  /** At the last report the world was right, and somebody kept putting a laxer state there. */
  besieged: boolean
  /** Of the newest observation that the entry tells of. */
  turn: ObservationTurn
  /** That observation, where it was no pass's. */
  caller: CallerObservation | null
}

export const newEntry = (target: AnyTarget, rows: readonly Condition[]): Entry => ({
  target,
  rows,
  stored: rows,
  read: null,
  found: null,
  report: null,
  rule: null,
  besieged: false,
  turn: 0,
  caller: null,
})

/** What a report was worked out from, beside the world. */
export interface Reading {
  readonly glance: string
  readonly outcome: string
  readonly besieged: boolean
  readonly release: number
  readonly message: string
  readonly working: unknown
}

export const isSameReading = (a: Reading, b: Reading | null): boolean =>
  b !== null &&
  a.glance === b.glance &&
  a.outcome === b.outcome &&
  a.besieged === b.besieged &&
  a.release === b.release &&
  a.message === b.message &&
  a.working === b.working

/** What is known to differ: by the newest observation, else by a pass that left nothing. */
export function foundBy(
  observed: Pick<CallerObservation, 'deviates' | 'differences'> | null,
  report: Report,
  working: Intent,
): FoundDifferences | null {
  if (observed === null) return isGood(report) ? keptDifferences([], working) : null
  return observed.deviates === null ? null : keptDifferences(observed.differences, working)
}

/** Before the first pass nothing is known but what the observation says. */
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
