/**
 * Asks routes in turn and remembers what they answered. A route is called open only when it was seen open twice, some time
 * apart, and only by a proxy that has loaded what was written last: it does so a moment after the write, and must not be
 * judged by the old file.
 *
 *   last answer        asked again
 *   closed, open       after a minute of its own
 *   suspect            after a few seconds
 *   unknown            after two seconds, four, eight … a minute
 *   before a change    at once, and when the proxy has loaded it
 *
 * All of it by the monotonic clock: whoever sets the other one back must not put off that an open route is told.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { type ProbeAnswer, type ProbeQuestion, schemeOf, type SsoProbe } from '../probe-port.ts'
import { evaluateAnswer, needsProvider, type AnswerEvaluation } from './evaluate.ts'
import type { Ask, ProvenRoute } from './provable.ts'

export interface Proof {
  readonly result: RouteEvaluation['result'] | 'suspect'
  readonly evidence: string
  readonly at: Instant
}

export interface RoundsParts extends AskParts {
  readonly clock: Clock
}

const ASK_AGAIN_MS: Milliseconds = 60_000
/** Told within 65 s: a minute, this, and a second for each look to begin. */
const SURE_AFTER_MS: Milliseconds = 2_500
/** As long as the proxy may take to load a file, where it does not show that it has. */
const LOADED_WITHIN_MS: Milliseconds = 8_000
/** Content that goes on so long is told however often routes are written in between. */
const SURE_REGARDLESS_MS: Milliseconds = 30_000
const UNKNOWN_AGAIN_MS: Milliseconds = 2_000
const AT_ONCE = 8
/** A round ends then; who was not asked is first in the next. */
const ROUND_WITHIN_MS: Milliseconds = 15_000
/** So many in a row without an answer: the proxy is not there, and need not be asked for a thousand names to see that. */
const MAX_SILENT = 16

type Known = Proof & {
  readonly asked_ms: Milliseconds
  /** Since when it was seen open in a row; null for closed or unknown. */
  readonly open_since_ms: Milliseconds | null
  readonly reached: boolean
  readonly again_ms: Milliseconds
}

export class Rounds {
  readonly #parts: RoundsParts
  #known: ReadonlyMap<string, Known> = new Map()
  #invalidated_ms: Milliseconds = -Infinity
  /** From then on the proxy is taken to run what was written last. */
  #loaded_ms: Milliseconds = -Infinity
  /** The last round ended before everybody was asked. */
  #is_behind = false

  constructor(parts: RoundsParts) {
    this.#parts = parts
  }

  /** Something changed: what was seen before says little. */
  invalidate(): void {
    this.#invalidated_ms = this.#parts.clock.elapsed()
  }

  /** Routes were written: for a while the proxy may run the earlier ones. */
  written(): void {
    this.#loaded_ms = this.#parts.clock.elapsed() + LOADED_WITHIN_MS
  }

  /** The proxy shows that it runs what was written last. */
  loaded(): void {
    this.#loaded_ms = this.#parts.clock.elapsed()
    this.invalidate()
  }

  /** What was seen of a route says nothing any more: it is another one now. */
  forget(domain: string): void {
    this.#known = new Map([...this.#known].filter(([one]) => one !== domain))
  }

  /** Null when a round is due. */
  glance(): string | null {
    const now_ms = this.#parts.clock.elapsed()
    const is_due = this.#is_behind || [...this.#known.values()].some((known) => this.#isDue(known, now_ms))
    return is_due ? null : 'at rest'
  }

  /** What is known of these routes after asking those that are due. */
  async ask(routes: readonly ProvenRoute[], signal: AbortSignal): Promise<ReadonlyMap<string, Proof>> {
    const { clock } = this.#parts
    const known = new Map(routes.flatMap(({ domain }) => entry(domain, this.#known.get(domain))))
    const until = clock.elapsed() + ROUND_WITHIN_MS
    const due = routes
      .filter(({ domain }) => this.#isDue(known.get(domain), clock.elapsed()))
      .toSorted((a, b) => (known.get(a.domain)?.asked_ms ?? -1) - (known.get(b.domain)?.asked_ms ?? -1))
    let begun = 0
    let silent = 0
    const work = async () => {
      while (begun < due.length && silent < MAX_SILENT && clock.elapsed() < until) {
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
  isUnreachable(): boolean {
    const all = [...this.#known.values()]
    return all.length > 0 && all.every(({ reached }) => !reached)
  }

  #isDue(known: Known | undefined, now_ms: Milliseconds): boolean {
    if (known === undefined || known.asked_ms <= this.#invalidated_ms) return true
    if (known.asked_ms < this.#loaded_ms && now_ms >= this.#loaded_ms) return true
    return now_ms - known.asked_ms >= known.again_ms
  }

  async #askOne(route: ProvenRoute, before: Known | undefined, signal: AbortSignal): Promise<Known> {
    const seen = await askRoute(this.#parts, route, signal)
    const { clock } = this.#parts
    const now_ms = clock.elapsed()
    const asked = { ...seen, at: clock.now(), asked_ms: now_ms, open_since_ms: null }
    if (seen.result === 'closed') return { ...asked, again_ms: ASK_AGAIN_MS }
    if (seen.result === 'unknown') return { ...asked, again_ms: this.#unknownAgain(before) }
    const since_ms = before?.open_since_ms ?? now_ms
    const is_sure =
      now_ms - Math.max(since_ms, this.#loaded_ms) >= SURE_AFTER_MS || now_ms - since_ms >= SURE_REGARDLESS_MS
    return is_sure
      ? { ...asked, result: 'open', open_since_ms: since_ms, again_ms: ASK_AGAIN_MS }
      : { ...asked, result: 'suspect', open_since_ms: since_ms, again_ms: SURE_AFTER_MS }
  }

  #unknownAgain(before: Known | undefined): Milliseconds {
    const is_new = before?.result !== 'unknown' || before.asked_ms <= this.#invalidated_ms
    return is_new ? UNKNOWN_AGAIN_MS : Math.min(2 * before.again_ms, ASK_AGAIN_MS)
  }
}

const entry = (domain: string, known: Known | undefined): readonly (readonly [string, Known])[] =>
  known === undefined ? [] : [[domain, known]]

// Asks a route every one of its questions, one after another, and takes the worst answer for the route's.

interface AskParts {
  readonly probe: SsoProbe
  /** The SSO provider itself, asked as the proxy asks it: what a refusal of its own looks like. */
  readonly provider: SsoProbe
}

interface RouteEvaluation {
  readonly result: 'closed' | 'open' | 'unknown'
  readonly evidence: string
  /** Somebody answered. */
  readonly reached: boolean
}

/** Ends at the first question whose answer is open: there is nothing worse. */
async function askRoute(parts: AskParts, route: ProvenRoute, signal: AbortSignal): Promise<RouteEvaluation> {
  const found: Answered[] = []
  for (const ask of route.asks) {
    const one = await askOne(parts, route, ask, signal)
    found.push(one)
    // Who does not answer the first question is not waited for again.
    if (one.result === 'open' || !one.reached) break
  }
  return worst(found)
}

type Answered = AnswerEvaluation & { readonly reached: boolean }

function worst(found: readonly Answered[]): RouteEvaluation {
  const first = (result: AnswerEvaluation['result']) => found.find((one) => one.result === result)
  const reached = found.some((one) => one.reached)
  const worst_seen = first('open') ?? first('unknown') ?? first('closed')
  if (worst_seen !== undefined && worst_seen.result !== 'passed_on')
    return { result: worst_seen.result, evidence: worst_seen.evidence, reached }
  return {
    result: 'unknown',
    evidence: `${found[0]?.evidence ?? 'it was asked nothing'}, which proves nothing`,
    reached,
  }
}

async function askOne(
  { probe, provider }: AskParts,
  { host, by_address, by_own_check }: ProvenRoute,
  { door, path }: Ask,
  signal: AbortSignal,
): Promise<Answered> {
  const question: ProbeQuestion = { door, host, path }
  try {
    const answer = await probe.ask(question, signal)
    const checks = { by_address, by_own_check }
    const said = needsProvider(answer, checks) ? await ofProvider(provider, question, signal) : null
    const { result, evidence } = evaluateAnswer(answer, { door, host, ...checks, provider: said })
    return { result, evidence: `${evidence}${at(question)}`, reached: true }
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return { result: 'unknown', evidence: error.message, reached: false }
  }
}

/** The usual question needs no address. */
const at = ({ door, host, path }: ProbeQuestion): string =>
  door === 'tls' && path === '/' ? '' : ` at ${schemeOf(door)}://${host}${path}`

async function ofProvider(
  provider: SsoProbe,
  question: ProbeQuestion,
  signal: AbortSignal,
): Promise<ProbeAnswer | null> {
  try {
    return await provider.ask(question, signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return null
  }
}
