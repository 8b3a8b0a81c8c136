/** What one pass over one key did, in words that finish the sentence "routes were …". */
import type { Instant, Milliseconds } from '../kernel/clock.ts'
import type { FailureCode } from '../kernel/failure.ts'

export const OUTCOMES = [
  'clean',
  'repaired',
  'left_drifting',
  'refused',
  'failed',
  'unknown',
  'suspended',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface RefusedRepair {
  readonly code: FailureCode
  readonly message: string
  readonly retry_after_ms: Milliseconds
}

export interface Report {
  /** The target, such as `routes`. */
  readonly component: string
  /** The queue key: the thing that is written atomically. */
  readonly key: string
  readonly outcome: Outcome
  /** How many differences there were before the pass acted. */
  readonly differences: number
  /** How many of them were repaired. */
  readonly repaired: number
  readonly failure: RefusedRepair | null
  /** The release that the pass worked towards; 0 before the first. */
  readonly release: number
  readonly observed_at: Instant
  readonly took_ms: Milliseconds
  /** When the key is looked at again at the latest. */
  readonly next_attempt_at: Instant
}

export const isGood = (report: Report): boolean => report.outcome === 'clean' || report.outcome === 'repaired'
