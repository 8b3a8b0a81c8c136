/**
 * One thing that is looked at again and again: one look at a time, each with an end that it cannot overstay, and what came
 * of the last one.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import { SingleFlight } from '../../../kernel/async/single-flight.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { HealthReason } from '../../../model/health.ts'
import type { LookAsk } from '../../../core/check.ts'

/** A look may take this long: the answer to a caller is due within two seconds. */
export const MAX_LOOK_MS: Milliseconds = 1500

export type Taken<T> = { readonly at: Instant } & (
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly reason: HealthReason; readonly message: string }
)

export interface KeptLookParts<T> {
  readonly name: string
  readonly clock: Clock
  readonly log: Log
  readonly look: (ask: LookAsk) => Promise<unknown>
  readonly isAnswer: (value: unknown) => value is T
  /** How long a look may take. */
  readonly max_ms?: Milliseconds
}

export class KeptLook<T> {
  readonly #parts: KeptLookParts<T>
  #last: Taken<T> | null = null
  #began_ms: Milliseconds | null = null
  /** When the look began that `last` tells of. */
  #last_began_ms: Milliseconds = -Infinity
  /** The work itself: it may go on after its time was over. */
  #work: Promise<unknown> | null = null
  readonly #looks = new SingleFlight((asked: LookOptions) => this.#take(asked))

  constructor(parts: KeptLookParts<T>) {
    this.#parts = parts
  }

  /** Null before the first. */
  get last(): Taken<T> | null {
    return this.#last
  }

  /** On the monotonic clock; null before the first. */
  get began_ms(): Milliseconds | null {
    return this.#began_ms
  }

  /**
   * Looks, or joins whoever is looking. Who asks afresh joins nobody who began before: that look may not have seen what the
   * caller asks about. Ends within its time, as unknown where no such look has, and at once with `ends`. Never throws.
   */
  async take(afresh: boolean, ends: AbortSignal): Promise<Taken<T>> {
    if (!afresh) return this.#looks.join({ afresh, ends })
    const { clock, max_ms } = this.#parts
    const asked_ms = clock.elapsed()
    const taken = await this.#inTime(ends, () => this.#looks.afresh({ afresh, ends }))
    if (taken !== null) return taken
    const late = { ...late_after(max_ms), at: clock.now() }
    if (!ends.aborted) this.#keep(late, asked_ms)
    return late
  }

  /** What a look by somebody else has found. @param began_ms of that look, on the monotonic clock */
  note(value: T, began_ms: Milliseconds): void {
    this.#keep({ known: true, value, at: this.#parts.clock.now() }, began_ms)
  }

  /** A look that began earlier says nothing against one that began later. */
  #keep(taken: Taken<T>, began_ms: Milliseconds): void {
    if (began_ms < this.#last_began_ms) return
    this.#last = taken
    this.#last_began_ms = began_ms
  }

  /** Resolves when the work has ended, too, which may be later than its time. Never throws. */
  async settled(): Promise<void> {
    await this.#work
  }

  async #take({ afresh, ends }: LookOptions): Promise<Taken<T>> {
    const { clock } = this.#parts
    const began_ms = clock.elapsed()
    this.#began_ms = began_ms
    const result = this.#work === null ? await this.#bounded(afresh, ends) : STILL
    const taken = { ...result, at: clock.now() }
    // What is broken off at the end of the daemon says nothing of the part.
    if (!ends.aborted) this.#keep(taken, began_ms)
    return taken
  }

  async #bounded(afresh: boolean, ends: AbortSignal): Promise<LookResult<T>> {
    const result = await this.#inTime(ends, (signal) => this.#begin({ signal, afresh }))
    return result ?? late_after(this.#parts.max_ms)
  }

  /** Null where the time is over, or the daemon ends. The work itself never throws. */
  async #inTime<R>(ends: AbortSignal, work: (signal: AbortSignal) => Promise<R>): Promise<R | null> {
    const { clock, max_ms = MAX_LOOK_MS } = this.#parts
    const bound = { clock, ms: max_ms, signal: ends }
    return withTimeout(bound, work, () => null).catch(() => null)
  }

  #begin(ask: LookAsk): Promise<LookResult<T>> {
    const work = this.#result(ask).finally(() => {
      if (this.#work === work) this.#work = null
    })
    this.#work = work
    return work
  }

  async #result(ask: LookAsk): Promise<LookResult<T>> {
    const { name, log, look, isAnswer, max_ms } = this.#parts
    try {
      const value = await look(ask)
      return isAnswer(value) ? { known: true, value } : MALFORMED
    } catch (error) {
      if (error instanceof Failure && error.code !== 'internal')
        return { known: false, reason: 'unreachable', message: error.message }
      if (ask.signal.aborted) return late_after(max_ms)
      log.error('look for the health page broke', { check: name, error })
      return BROKEN
    }
  }
}

interface LookOptions {
  readonly afresh: boolean
  readonly ends: AbortSignal
}

type LookResult<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly reason: HealthReason; readonly message: string }

const unknown = (reason: HealthReason, message: string): LookResult<never> => ({
  known: false,
  reason,
  message,
})
const late_after = (max_ms: Milliseconds = MAX_LOOK_MS): LookResult<never> =>
  unknown('timed_out', `It did not answer within ${max_ms} ms.`)
const STILL = unknown('timed_out', 'An earlier look at it has not ended yet.')
const MALFORMED = unknown('malformed', 'What came is no answer.')
const BROKEN = unknown('broken', 'It could not be looked at; the log has the reason.')
