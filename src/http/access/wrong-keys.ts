/**
 * Guessing at keys, by whatever way: the header, the password of Basic, a Bearer token, `key=`.
 *
 *   wrong keys of the network within a minute   the right key within the hour   a presented key is
 *   fewer than ten                              either                          compared; a wrong one is 401
 *   ten                                         not shown                       429 before it is compared
 *   ten                                         shown                           compared; a wrong one is 429
 *
 * So nobody can try more than ten a minute from a network that has not shown the right key within the hour (from one that has,
 * the pace of calls without a key is the limit), and nobody locks out whoever calls from the same one. On this
 * host a key is always compared that has the form of an issued one, which nobody guesses (`caller.ts`). A network is an IPv4 address or the /64 of an
 * IPv6 one; this host is one, and whoever comes through a proxy that is not listed is counted apart from it. In memory: a
 * restart forgives.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { RateLimit } from '../../kernel/async/rate-limit.ts'

const MINUTE_MS: Milliseconds = 60_000
const HOUR_MS: Milliseconds = 60 * MINUTE_MS
const MAX_A_MINUTE = 10
/** Above so many within an hour, from wherever, somebody should know. */
const MANY_AN_HOUR = 100
const MAX_NETWORKS = 10_000
/** Of the last hour; beyond that the number is a lower bound. */
const MAX_KEPT = 5000
const MAX_NAMED = 3

interface Wrong {
  readonly at: Milliseconds
  readonly network: string
}

/** What is known of the last hour. */
export interface Guessing {
  readonly count: number
  /** Those that tried most, the busiest first. */
  readonly networks: readonly string[]
}

export class WrongKeys {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #limit = new RateLimit({ most: MAX_A_MINUTE, span_ms: MINUTE_MS, max_names: MAX_NETWORKS })
  /** When each network showed the right key, the longest ago first. */
  readonly #right = new Map<string, Milliseconds>()
  #recent: Wrong[] = []
  #reported_at: Milliseconds | null = null
  #listener: (guessing: Guessing) => void = () => undefined

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  /** Calls `listener` when there are more than a hundred within an hour, at most once an hour. It must not throw. */
  onMany(listener: (guessing: Guessing) => void): void {
    this.#listener = listener
  }

  /** How long no key of this network is compared; 0: it is. */
  shut(network: string): Milliseconds {
    const wait_ms = this.#limit.wait(network, this.#clock.elapsed())
    return this.#isKnown(network) ? 0 : wait_ms
  }

  /** Counts a wrong key and says how long the client is to wait for being wrong again; 0: not at all. */
  wrong(network: string): Milliseconds {
    const elapsed = this.#clock.elapsed()
    const wait_ms = this.#limit.wait(network, elapsed)
    this.#limit.count(network, elapsed)
    this.#recent.push({ at: elapsed, network })
    if (this.#recent.length > MAX_KEPT) this.#recent.shift()
    this.#tellOfMany(elapsed)
    return wait_ms
  }

  /** The key was right. */
  right(network: string): void {
    this.#right.delete(network)
    this.#right.set(network, this.#clock.elapsed())
    if (this.#right.size > MAX_NETWORKS) this.#right.delete(this.#right.keys().next().value!)
  }

  /** Null while there are no more than a hundred within the hour. */
  guessing(): Guessing | null {
    const elapsed = this.#clock.elapsed()
    this.#recent = this.#recent.filter(({ at }) => elapsed - at < HOUR_MS)
    if (this.#recent.length <= MANY_AN_HOUR) return null
    const by_network = [...Map.groupBy(this.#recent, ({ network }) => network)]
    const networks = by_network
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, MAX_NAMED)
      .map(([network]) => network || 'an unknown address')
    return { count: this.#recent.length, networks }
  }

  #isKnown(network: string): boolean {
    const shown_at = this.#right.get(network) ?? -Infinity
    return this.#clock.elapsed() - shown_at < HOUR_MS
  }

  #tellOfMany(elapsed: Milliseconds): void {
    if (this.#reported_at !== null && elapsed - this.#reported_at < HOUR_MS) return
    const guessing = this.guessing()
    if (guessing === null) return
    this.#reported_at = elapsed
    this.#listener(guessing)
  }
}

/** For people. */
export const guessingWords = ({ networks }: Guessing): string =>
  `More than ${MANY_AN_HOUR} wrong keys came within an hour, most of them from ${networks.join(', ')}.`
