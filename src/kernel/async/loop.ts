/** Repeats a task; the task returns the delay until the next run, `wake()` cuts it short. One run at a time. */
import type { Clock, Milliseconds } from '../clock.ts'
import { waitAtMost } from './wait-at-most.ts'

export interface LoopParts {
  readonly clock: Clock
  /** Resolves with the longest wait until the next round. Its signal aborts when the loop is stopped. */
  readonly round: (signal: AbortSignal) => Milliseconds | Promise<Milliseconds>
  /** Told of every round that failed, but for one that was stopped. Returns the wait; half a minute when it says none. */
  readonly failed: (error: unknown) => Milliseconds | void
  /** The shortest time between two rounds, however often `wake()` is called. */
  readonly least_ms?: Milliseconds
}

const AFTER_FAILURE_MS: Milliseconds = 30_000
/** What a busy machine is late by is no reason to count. */
const LATE_MS: Milliseconds = 1000

export class Loop {
  readonly #parts: LoopParts
  #end: AbortController | null = null
  /** Every run so far; one at a time. */
  #done: Promise<void> = Promise.resolve()
  #wake_up = new AbortController()

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  /** Aborts when the loop is stopped; null where it was never started. */
  get signal(): AbortSignal | null {
    return this.#end?.signal ?? null
  }

  /** While it runs nothing more happens. */
  start(): void {
    if (this.#end?.signal.aborted === false) return
    const is_first = this.#end === null
    this.#end = new AbortController()
    const { signal } = this.#end
    this.#done = is_first ? this.#run(signal) : this.#done.then(() => this.#run(signal))
  }

  /**
   * Resolves when nothing runs any more, or after `grace_ms`.
   * @param reason of the signal that the round under way was given
   */
  async stop({ grace_ms, reason }: { grace_ms?: Milliseconds; reason?: Error } = {}): Promise<void> {
    this.#end?.abort(reason)
    await (grace_ms === undefined ? this.#done : waitAtMost(this.#done, grace_ms))
  }

  /** The next round begins now, or as soon as the shortest time is over. One that is under way is followed by another. */
  wake(): void {
    this.#wake_up.abort()
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { least_ms = 0 } = this.#parts
    while (!signal.aborted) {
      this.#wake_up = new AbortController()
      const wait_ms = await this.#round(signal)
      await this.#pause(least_ms, wait_ms, signal)
    }
  }

  /** A shortest pause that took far longer, as on a host that stood still, is part of the wait behind it. */
  async #pause(least_ms: Milliseconds, wait_ms: Milliseconds, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    const began_ms = clock.elapsed()
    if (least_ms > 0) await this.#sleep(least_ms, signal)
    const late_ms = Math.floor(clock.elapsed() - began_ms - least_ms)
    const left_ms = late_ms < LATE_MS ? wait_ms : Math.max(0, wait_ms - late_ms)
    // Without any pause the timers of everybody else would never have their turn.
    if (wait_ms > 0 || least_ms === 0)
      await this.#sleep(left_ms, AbortSignal.any([signal, this.#wake_up.signal]))
  }

  async #round(signal: AbortSignal): Promise<Milliseconds> {
    try {
      return await this.#parts.round(signal)
    } catch (error) {
      return (signal.aborted ? null : this.#parts.failed(error)) ?? AFTER_FAILURE_MS
    }
  }

  async #sleep(ms: Milliseconds, until: AbortSignal): Promise<void> {
    await this.#parts.clock.sleep(ms, until).catch(() => undefined)
  }
}
