/**
 * Asks routes in turn and remembers what they answered. A route is called open only when it was seen open twice, some time
 * apart: the proxy loads a new file a moment after it was written, and must not be judged by the old one.
 */
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { SsoProbe } from '../../ports/sso-probe.ts'
import { judgeAnswer, type Sighting } from './judge.ts'

export interface ProvenRoute {
  readonly domain: string
  readonly domain_id: number
  readonly host: string
  /** A path that is not open to everybody. */
  readonly path: string
}

export interface Proof {
  readonly verdict: Sighting['verdict'] | 'suspect'
  readonly evidence: string
  readonly at: Instant
}

export interface RoundsParts {
  readonly probe: SsoProbe
  readonly clock: Clock
}

const ASK_AGAIN_MS: Milliseconds = 60_000
const SURE_AFTER_MS: Milliseconds = 8_000
const AT_ONCE = 8
/** A round ends then; who was not asked is first in the next. */
const ROUND_WITHIN_MS: Milliseconds = 15_000

type Known = Proof & {
  /** Since when it was seen open in a row; null for closed or unknown. */
  readonly open_since: Instant | null
  readonly reached: boolean
}

export class Rounds {
  readonly #parts: RoundsParts
  #known: ReadonlyMap<string, Known> = new Map()
  #doubted_at: Instant = Number.NEGATIVE_INFINITY

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
    return waiting ? null : String(Math.floor(this.#parts.clock.now() / ASK_AGAIN_MS))
  }

  /** What is known of these routes after asking those that are due. */
  async ask(routes: readonly ProvenRoute[], signal: AbortSignal): Promise<ReadonlyMap<string, Proof>> {
    const { clock } = this.#parts
    const known = new Map(routes.flatMap(({ domain }) => entry(domain, this.#known.get(domain))))
    const until = clock.elapsed() + ROUND_WITHIN_MS
    const due = routes
      .filter(({ domain }) => this.#isDue(known.get(domain), clock.now()))
      .toSorted((a, b) => (known.get(a.domain)?.at ?? 0) - (known.get(b.domain)?.at ?? 0))
    const work = due.values()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const route of work) {
          if (clock.elapsed() >= until) return
          known.set(route.domain, await this.#askOne(route, known.get(route.domain), signal))
        }
      }),
    )
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

  async #askOne({ host, path }: ProvenRoute, before: Known | undefined, signal: AbortSignal): Promise<Known> {
    const { probe, clock } = this.#parts
    try {
      const seen = judgeAnswer(await probe.ask(host, path, signal), host)
      const at = clock.now()
      if (seen.verdict !== 'open') return { ...seen, at, open_since: null, reached: true }
      const since = before?.open_since ?? at
      const verdict = at - since >= SURE_AFTER_MS ? 'open' : 'suspect'
      return { verdict, evidence: seen.evidence, at, open_since: since, reached: true }
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) throw error
      return {
        verdict: 'unknown',
        evidence: error.message,
        at: clock.now(),
        open_since: null,
        reached: false,
      }
    }
  }
}

const entry = (domain: string, known: Known | undefined): readonly (readonly [string, Known])[] =>
  known === undefined ? [] : [[domain, known]]
