/** So many in any span of time, counted by name. In memory: a restart forgives, and a flood of names pushes out the oldest. */
import type { Milliseconds } from '../clock.ts'

export interface RateLimitOptions {
  readonly most: number
  readonly span_ms: Milliseconds
  /** Names that are remembered at the same time. */
  readonly max_names?: number
}

export class RateLimit {
  readonly #most: number
  readonly #span_ms: Milliseconds
  readonly #max_names: number
  /** Monotonic times of what was counted, oldest first. */
  readonly #counted = new Map<string, number[]>()

  constructor({ most, span_ms, max_names = 10_000 }: RateLimitOptions) {
    this.#most = most
    this.#span_ms = span_ms
    this.#max_names = max_names
  }

  /** How long to wait until one more would be allowed; 0 for now. Counts nothing. */
  wait(name: string, elapsed: Milliseconds): Milliseconds {
    const times = this.#recent(name, elapsed)
    return times.length < this.#most ? 0 : times[0]! + this.#span_ms - elapsed
  }

  /** Counts one, allowed or not: whoever goes on regardless goes on waiting. */
  count(name: string, elapsed: Milliseconds): void {
    const times = this.#recent(name, elapsed)
    times.push(elapsed)
    if (times.length > this.#most) times.shift()
    this.#counted.delete(name)
    this.#counted.set(name, times)
    if (this.#counted.size > this.#max_names) this.#counted.delete(this.#counted.keys().next().value!)
  }

  #recent(name: string, elapsed: Milliseconds): number[] {
    const times = this.#counted.get(name) ?? []
    while (times.length > 0 && elapsed - times[0]! >= this.#span_ms) times.shift()
    return times
  }
}
