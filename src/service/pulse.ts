/** Whether the reconcile loop turns: no key is worked on, or overdue, for longer than any work may take. */
import type { Clock, Instant, Milliseconds } from '../kernel/clock.ts'

export interface Loop {
  keys(): readonly string[]
  /** Null while the key is worked on. */
  dueAt(key: string): Instant | null
}

/** A turn of the loop takes moments. */
const MAX_OVERDUE_MS: Milliseconds = 5 * 60_000
/** Between two restarts of the SSO provider may lie an hour (`PLUMBLINE_SSO_RESTART_GAP`), for which a pass waits. */
const MAX_WORKED_ON_MS: Milliseconds = 3 * 3_600_000

export class Pulse {
  readonly #loop: Loop
  readonly #clock: Clock
  /** Since when, on the clock that nobody sets, a key stands as it stands. */
  readonly #seen = new Map<string, { readonly due: Instant | null; readonly since: Milliseconds }>()

  constructor(loop: Loop, clock: Clock) {
    this.#loop = loop
    this.#clock = clock
  }

  /** What does not get on, in words; null while everything does. */
  stuck(): string | null {
    const elapsed = this.#clock.elapsed()
    const keys = this.#loop.keys()
    for (const key of this.#seen.keys()) if (!keys.includes(key)) this.#seen.delete(key)
    for (const key of keys) {
      const due = this.#loop.dueAt(key)
      const before = this.#seen.get(key)
      if (before === undefined || before.due !== due || (due !== null && due > this.#clock.now()))
        this.#seen.set(key, { due, since: elapsed })
      else if (elapsed - before.since > (due === null ? MAX_WORKED_ON_MS : MAX_OVERDUE_MS))
        return `${key} is ${due === null ? 'being worked on' : 'overdue'} for ${Math.round((elapsed - before.since) / 1000)} s.`
    }
    return null
  }
}
