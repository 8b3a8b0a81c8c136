/** Rules that the database's content must keep whatever happens outside, each looked at by name. */
import type { Instant } from '../kernel/clock.ts'

export interface Invariant {
  /** Such as `names_unique`: stable, so that alerts can be written against it. */
  readonly name: string
  /** What it promises, in one sentence. */
  readonly promise: string
  /** Null: it could not be looked at. */
  readonly holds: boolean | null
  /** What breaks it or why it is not known, with what helps; null where it holds. */
  readonly detail: string | null
  readonly checked_at: Instant
}

/** All of them, within the signal. Never throws but for an abort: a database that cannot be read is an answer. */
export type CheckInvariants = (signal: AbortSignal) => Promise<readonly Invariant[]>
