/** A copy of the database a day, and what is known of the last one that was tried. */
import type { Finding } from '../../core/finding.ts'
import { type Clock, type Instant, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { DailyCopies } from '../../ports/backups.ts'
import type { Schedule, Scheduled } from '../../ports/schedule.ts'

/** The calendar asks each hour, a moment sooner or later than the day before. */
const DUE_AFTER_MS: Milliseconds = 23.5 * 3_600_000
/** A process that is killed while it flushes ends when the disk has done. Nobody waits for that. */
const END_WITHIN_MS: Milliseconds = 1000

export interface CopyParts {
  readonly copies: DailyCopies
  /** 0: none is made. */
  readonly kept: number
  readonly schedule: Schedule
  readonly clock: Clock
  readonly log: Log
}

export interface Trial {
  readonly at: Instant
  readonly ok: boolean
}

export class DatabaseCopying {
  readonly #parts: CopyParts
  readonly #scheduled: Scheduled
  readonly #stop = new AbortController()
  #failure: { readonly since: Instant; readonly at: Instant; readonly message: string } | null = null

  constructor(parts: CopyParts) {
    this.#parts = parts
    const { schedule, log } = parts
    this.#scheduled = schedule({
      name: 'daily copy of the database',
      // At no full hour, when others work.
      pattern: '23 * * * *',
      work: () => this.#work(),
      failed: (error) => log.warn('database not copied', { error }),
    })
  }

  start(): void {
    if (this.#parts.kept > 0) this.#scheduled.start()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    const waited = new AbortController()
    const { clock } = this.#parts
    await Promise.race([
      this.#scheduled.stop(),
      clock.sleep(END_WITHIN_MS, waited.signal).catch(() => undefined),
    ])
    waited.abort()
  }

  /** The last trial; null where none was made. A copy has its name only where it was tried and is sound. */
  lastTrial(): Trial | null {
    if (this.#failure !== null) return { at: this.#failure.at, ok: false }
    const newest = this.#parts.copies.newest()
    return newest === null ? null : { at: newest.at, ok: true }
  }

  /** What a person is told. */
  findings(): readonly Finding[] {
    if (this.#failure === null) return []
    const newest = this.#parts.copies.newest()
    return [
      {
        id: 'backup',
        kind: 'failing',
        severity: 'warning',
        component: 'backups',
        key: 'backups',
        domains: [],
        since: this.#failure.since,
        message:
          `The database was not copied. ${this.#failure.message} ` +
          (newest === null ? 'There is no copy of a day.' : `The newest is of ${isoTime(newest.at)}.`),
        remedy:
          'See the invariants of the health page and the room on the disk; it is tried again each hour.',
        alert_after_ms: null,
      },
    ]
  }

  async #work(): Promise<void> {
    const { copies, clock, log } = this.#parts
    const now = clock.now()
    const since = copies.newest()?.at ?? copies.since()
    // A clock that was set back makes the newest one no younger.
    if (this.#failure === null && since !== null && Math.abs(now - since) < DUE_AFTER_MS) return
    try {
      await copies.make(this.#stop.signal)
      this.#failure = null
      log.info('database copied', { path: copies.newest()?.path ?? null })
    } catch (error) {
      if (this.#stop.signal.aborted) return
      this.#failure = { since: this.#failure?.since ?? now, at: now, message: (error as Error).message }
      throw error
    }
  }
}
