/** How much probing is done for callers: so many at once, so many a minute, so that nobody maps a network through us. */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'

const AT_ONCE = 4
const A_MINUTE = 30
const MINUTE_MS: Milliseconds = 60_000

export class ProbeGate {
  readonly #clock: Clock
  /** When the probes of the last minute began, oldest first; of the monotonic clock. */
  #begun: Milliseconds[] = []
  #running = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Throws `rate_limited` where there were too many. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const now = this.#clock.elapsed()
    this.#begun = this.#begun.filter((at) => now - at < MINUTE_MS)
    if (this.#running >= AT_ONCE)
      throw refused(`${AT_ONCE} backends are being probed already; wait until one is done.`, 1000)
    if (this.#begun.length >= A_MINUTE)
      throw refused(`${A_MINUTE} backends were probed within a minute.`, MINUTE_MS - (now - this.#begun[0]!))
    this.#begun.push(now)
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
    }
  }
}

const refused = (message: string, retry_after_ms: Milliseconds): Failure =>
  new Failure('rate_limited', message, { retry_after_ms: Math.max(1, Math.ceil(retry_after_ms)) })
