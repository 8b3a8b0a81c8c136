/**
 * How much probing is done for callers: so many at once, so many a minute, so that nobody maps a network through us. Those who may
 * only look have a share of it.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { type Reader, type Shares, usedUp } from '../../../core/shares.ts'

const AT_ONCE: Shares = { all: 4, readers: 3, reader: 2 }
const A_MINUTE: Shares = { all: 30, readers: 20, reader: 10 }
const MINUTE_MS: Milliseconds = 60_000

interface Begun {
  /** Of the monotonic clock. */
  readonly at: Milliseconds
  readonly reader: Reader
}

export class ProbeGate {
  readonly #clock: Clock
  /** The probes of the last minute, oldest first. */
  #begun: readonly Begun[] = []
  readonly #running = new Set<Begun>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Throws `rate_limited` where there were too many. @param reader the name of a caller who may only look */
  async pass<T>(work: () => Promise<T>, reader: Reader = null): Promise<T> {
    const now = this.#clock.elapsed()
    this.#begun = this.#begun.filter(({ at }) => now - at < MINUTE_MS)
    this.#assertShare(now, reader)
    const begun = { at: now, reader }
    this.#begun = [...this.#begun, begun]
    this.#running.add(begun)
    try {
      return await work()
    } finally {
      this.#running.delete(begun)
    }
  }

  #assertShare(now: Milliseconds, reader: Reader): void {
    const at_once = usedUp(this.#running, reader, AT_ONCE)
    if (at_once !== null)
      throw refused(
        `${AT_ONCE[at_once]} backends are being probed already${FOR[at_once]}; wait until one is done.`,
        1000,
      )
    const a_minute = usedUp(this.#begun, reader, A_MINUTE)
    if (a_minute === null) return
    const first = this.#begun.find((one) => counts(one, a_minute, reader))!
    throw refused(
      `${A_MINUTE[a_minute]} backends were probed within a minute${FOR[a_minute]}.`,
      MINUTE_MS - (now - first.at),
    )
  }
}

const FOR: Readonly<Record<keyof Shares, string>> = {
  all: '',
  readers: ' for those who may only look',
  reader: ' for you, who may only look',
}

const counts = ({ reader }: Begun, share: keyof Shares, one: Reader): boolean =>
  share === 'all' || (share === 'readers' ? reader !== null : reader === one)

const refused = (message: string, retry_after_ms: Milliseconds): Failure =>
  new Failure('rate_limited', message, { retry_after_ms: Math.max(1, Math.ceil(retry_after_ms)) })
