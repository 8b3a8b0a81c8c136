/**
 * Asks routes in turn and remembers what they answered. A route is called open only when it was seen open twice, some time
 * apart: the proxy loads a new file a moment after it was written, and must not be judged by the old one.
 */
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import { type AskParts, askRoute, type RouteSighting } from './ask-route.ts'
import type { ProvenRoute } from './provable.ts'

export interface Proof {
  readonly verdict: RouteSighting['verdict'] | 'suspect'
  readonly evidence: string
  readonly at: Instant
}

export interface RoundsParts extends AskParts {
  readonly clock: Clock
}

const ASK_AGAIN_MS: Milliseconds = 60_000
const SURE_AFTER_MS: Milliseconds = 8_000
const AT_ONCE = 8
/** A round ends then; who was not asked is first in the next. */
const ROUND_WITHIN_MS: Milliseconds = 15_000
/** So many in a row without an answer: the proxy is not there, and need not be asked for a thousand names to see that. */
const MOST_SILENT = 16

type Known = Proof & {
  /** Since when it was seen open in a row; null for closed or unknown. */
  readonly open_since: Instant | null
  readonly reached: boolean
}

export class Rounds {
  readonly #parts: RoundsParts
  #known: ReadonlyMap<string, Known> = new Map()
  #doubted_at: Instant = Number.NEGATIVE_INFINITY
  /** The last round ended before everybody was asked. */
  #is_behind = false

  constructor(parts: RoundsParts) {
    this.#parts = parts
  }

  /** Something changed: what was seen before says little. */
  doubt(): void {
    this.#doubted_at = this.#parts.clock.now()
  }

  /** Changes when a round is due. */
  glance(): string | null {
    const waiting = [...this.#known.values()].some(
      ({ verdict, at }) => verdict === 'suspect' || at <= this.#doubted_at,
    )
    return waiting || this.#is_behind ? null : String(Math.floor(this.#parts.clock.now() / ASK_AGAIN_MS))
  }

  /** What is known of these routes after asking those that are due. */
  async ask(routes: readonly ProvenRoute[], signal: AbortSignal): Promise<ReadonlyMap<string, Proof>> {
    const { clock } = this.#parts
    const known = new Map(routes.flatMap(({ domain }) => entry(domain, this.#known.get(domain))))
    const until = clock.elapsed() + ROUND_WITHIN_MS
    const due = routes
      .filter(({ domain }) => this.#isDue(known.get(domain), clock.now()))
      .toSorted((a, b) => (known.get(a.domain)?.at ?? 0) - (known.get(b.domain)?.at ?? 0))
    let begun = 0
    let silent = 0
    const work = async () => {
      while (begun < due.length && silent < MOST_SILENT && clock.elapsed() < until) {
        const route = due[begun++]!
        const seen = await this.#askOne(route, known.get(route.domain), signal)
        silent = seen.reached ? 0 : silent + 1
        known.set(route.domain, seen)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    this.#is_behind = begun < due.length
    this.#known = known
    return known
  }

  last(): ReadonlyMap<string, Proof> {
    return this.#known
  }

  /** True when nobody answered for any route that was asked about. */
  isDeaf(): boolean {
    const all = [...this.#known.values()]
    return all.length > 0 && all.every(({ reached }) => !reached)
  }

  #isDue(known: Known | undefined, now: Instant): boolean {
    if (known === undefined || known.verdict === 'suspect' || known.at <= this.#doubted_at) return true
    return now - known.at >= ASK_AGAIN_MS || now < known.at
  }

  async #askOne(route: ProvenRoute, before: Known | undefined, signal: AbortSignal): Promise<Known> {
    const seen = await askRoute(this.#parts, route, signal)
    const at = this.#parts.clock.now()
    if (seen.verdict !== 'open') return { ...seen, at, open_since: null }
    const since = before?.open_since ?? at
    const verdict = at - since >= SURE_AFTER_MS ? 'open' : 'suspect'
    return { ...seen, verdict, at, open_since: since }
  }
}

const entry = (domain: string, known: Known | undefined): readonly (readonly [string, Known])[] =>
  known === undefined ? [] : [[domain, known]]
