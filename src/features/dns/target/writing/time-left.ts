/**
 * How long a zone may still be written to in this pass. A server may take long for each request, and longest where it fails:
 * a pass that is broken off knows nothing of what it did, so no request begins that may last into the time kept for looking
 * again. The first of a pass goes out in any case, so that each comes further than the one before.
 */
import type { Clock, Milliseconds } from '../../../../kernel/clock.ts'

/** Kept for the listing after the writes, the ledger, and the look that ends the pass. */
const LOOKING_AGAIN_MS: Milliseconds = 20_000

export class TimeLeft {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #until: Milliseconds
  #has_sent = false
  #longest_ms: Milliseconds = 0

  /** @param ends_at when the pass is broken off, on the monotonic clock; left out: never */
  constructor(clock: Pick<Clock, 'elapsed'>, ends_at = Number.POSITIVE_INFINITY) {
    this.#clock = clock
    this.#until = ends_at - LOOKING_AGAIN_MS
  }

  /** True where one more request, as long as the longest so far, may not be over in time. */
  isShort(): boolean {
    return this.#has_sent && this.#clock.elapsed() + this.#longest_ms >= this.#until
  }

  async measured<T>(request: () => Promise<T>): Promise<T> {
    const began = this.#clock.elapsed()
    this.#has_sent = true
    try {
      return await request()
    } finally {
      this.#longest_ms = Math.max(this.#longest_ms, this.#clock.elapsed() - began)
    }
  }
}
