/** Copies of the database that are made day by day. */
import type { Instant } from '../kernel/clock.ts'

export interface DatabaseCopy {
  readonly path: string
  readonly at: Instant
  readonly bytes: number
}

export interface DailyCopies {
  /** The newest; null where there is none. */
  newest(): DatabaseCopy | null
  /** Since when there is a database to be copied; null where nobody knows. */
  since(): Instant | null
  /**
   * Makes one and tries it: it is opened, and looked at by every rule of the database. Only one that is sound is kept, and
   * makes the oldest go. Throws a Failure that says what was in the way, then with the earlier ones as they were.
   */
  make(signal: AbortSignal): Promise<void>
}
