/**
 * Offers that are kept for whoever got them, for some minutes: two who ask at the same time are not offered the same. In
 * memory, by what was offered; nothing is reserved by it in the world.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'

const MAX_HOLDS = 1000
/** Of one holder: who asks again and again loses the own ones first. */
const MAX_HOLDS_EACH = 200
export const MAX_HOLD_S = 600

interface Hold {
  readonly holder: string
  readonly until_ms: Milliseconds
}

export class Offers<Key> {
  readonly #clock: Clock
  readonly #offers = new Map<Key, Hold>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether it is kept for somebody other than `but`. */
  isKept(key: Key, but: string | null): boolean {
    const hold = this.#offers.get(key)
    return hold !== undefined && hold.holder !== but && hold.until_ms > this.#clock.elapsed()
  }

  hold(holder: string, key: Key, ms: Milliseconds): void {
    this.#offers.delete(key)
    this.#forget(holder)
    this.#offers.set(key, { holder, until_ms: this.#clock.elapsed() + ms })
  }

  /** What has ended; and the oldest, where there are too many of the holder's or of all. */
  #forget(holder: string): void {
    const now_ms = this.#clock.elapsed()
    for (const [key, { until_ms }] of this.#offers) if (until_ms <= now_ms) this.#offers.delete(key)
    const own = [...this.#offers].flatMap(([key, hold]) => (hold.holder === holder ? [key] : []))
    for (const key of own.slice(0, Math.max(0, own.length - MAX_HOLDS_EACH + 1))) this.#offers.delete(key)
    for (const key of this.#offers.keys()) {
      if (this.#offers.size < MAX_HOLDS) return
      this.#offers.delete(key)
    }
  }
}
