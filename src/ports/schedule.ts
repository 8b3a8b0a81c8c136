/** Work that comes by the calendar. What comes round after a wait is a loop (`kernel/async/loop.ts`). */

export interface CalendarWork {
  readonly name: string
  /** Of cron: minute, hour, day of the month, month, day of the week, in UTC. */
  readonly pattern: string
  /**
   * Does what has become due since the last time, however long ago that was: a host sleeps and its clock is set, and
   * nothing is to be skipped or done twice for it.
   */
  readonly work: () => Promise<void>
  readonly failed: (error: unknown) => void
}

export interface Scheduled {
  /** Works at once, and then by the calendar; never twice at a time. */
  start(): void
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

export type Schedule = (work: CalendarWork) => Scheduled
