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
 *   whatever           at once for whoever wants to know how it is now
 *
 * All of it by the monotonic clock: whoever sets the other one back must not put off that an open route is told.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { deadlineSignal } from '../../../kernel/async/deadline.ts'
import type { Proof } from '../service.ts'
import { type AskParts, askRoute, type RouteEvaluation } from './ask-route.ts'
import type { ProvenRoute } from './provable.ts'
import { Questions } from './questions.ts'

export interface RoundsParts extends AskParts {
  readonly clock: Clock
}

export interface NowOptions {
  /** What was not answered by then is unknown. */
  readonly within_ms: Milliseconds
  /** The proxy may not have loaded the routes yet: what is unknown is asked again and again meanwhile. Left out: no. */
  readonly insists?: boolean
}

const ASK_AGAIN_MS: Milliseconds = 60_000
/** Told within 65 s: a minute, this, and a second for each look to begin. */
const SURE_AFTER_MS: Milliseconds = 2_500
/** As long as the proxy may take to load a file, where it does not show that it has. */
const LOADED_WITHIN_MS: Milliseconds = 8_000
/** Content that goes on so long is told however often routes are written in between. */
const SURE_REGARDLESS_MS: Milliseconds = 30_000
const UNKNOWN_AGAIN_MS: Milliseconds = 2_000
/** In all, whoever wants to know. */
const AT_ONCE = 8
/** Calls so close together share their questions. */
const BATCH_MS: Milliseconds = 20
/** A round of the timer ends then; who was not asked is first in the next. */
const ROUND_WITHIN_MS: Milliseconds = 15_000
/** So many in a row without an answer: the proxy is not there, and need not be asked for a thousand names to see that. */
const MAX_SILENT = 16
/** Where a call insists. */
const INSISTS_EVERY_MS: Milliseconds = 500

type Known = Proof & {
  /** When the question was put. */
  readonly asked_ms: Milliseconds
  /** Since when it was seen open in a row; null for closed or unknown. */
  readonly open_since_ms: Milliseconds | null
  readonly reached: boolean
  readonly again_ms: Milliseconds
}

export class Rounds {
  readonly #parts: RoundsParts
  readonly #end = new AbortController()
  readonly #questions: Questions<ProvenRoute, Known>
  #known: Map<string, Known> = new Map()
  /** When what was seen of a route became that of another one. */
  readonly #forgotten_ms = new Map<string, Milliseconds>()
  #invalidated_ms: Milliseconds = -Infinity
  /** From then on the proxy is taken to run what was written last. */
  #loaded_ms: Milliseconds = -Infinity
  /** The last round of the timer ended before everybody was asked. */
  #is_behind = false
  #rounds = 0
  /** Who wants to know how it is now. */
  #callers = 0

  constructor(parts: RoundsParts) {
    const { clock } = parts
    this.#parts = parts
    this.#questions = new Questions({
      at_once: AT_ONCE,
      ask: (route) => this.#askOne(route),
      batch: () => clock.sleep(BATCH_MS),
    })
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
    this.runs()
    this.invalidate()
  }

  /** The same, where what was seen since is not asked once more for it. */
  runs(): void {
    this.#loaded_ms = Math.min(this.#loaded_ms, this.#parts.clock.elapsed())
  }

  /** What was seen of a route says nothing any more: it is another one now. */
  forget(domain: string): void {
    this.#known.delete(domain)
    this.#forgotten_ms.set(domain, this.#parts.clock.elapsed())
  }

  /** Null when a round is due. */
  glance(): string | null {
    const now_ms = this.#parts.clock.elapsed()
    const is_due = this.#is_behind || [...this.#known.values()].some((known) => this.#isDue(known, now_ms))
    return is_due ? null : 'at rest'
  }

  /** What is known of these routes after asking those that are due. For the timer: it gives way to callers. */
  async ask(routes: readonly ProvenRoute[], signal: AbortSignal): Promise<ReadonlyMap<string, Proof>> {
    const { clock } = this.#parts
    const names = new Set(routes.map(({ domain }) => domain))
    this.#known = new Map([...this.#known].filter(([domain]) => names.has(domain)))
    const until = clock.elapsed() + ROUND_WITHIN_MS
    const due = routes
      .filter(({ domain }) => this.#isDue(this.#known.get(domain), clock.elapsed()))
      .toSorted(
        (a, b) => (this.#known.get(a.domain)?.asked_ms ?? -1) - (this.#known.get(b.domain)?.asked_ms ?? -1),
      )
    const found = await this.#round(due, {
      signal,
      is_urgent: false,
      isOver: () => clock.elapsed() >= until || this.#callers > 0,
    })
    signal.throwIfAborted()
    this.#rounds++
    this.#is_behind = found.size < due.length
    return new Map(this.#known)
  }

  /**
   * How these routes are now: each was asked after this call, and what was not is unknown, whatever is remembered of it. One
   * that gives content is asked once more, to be sure. Calls at the same moment share their questions. Ends in time.
   */
  async now(
    routes: readonly ProvenRoute[],
    { within_ms, insists = false }: NowOptions,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Proof>> {
    const { clock } = this.#parts
    const deadline = deadlineSignal(clock, within_ms)
    const ends = AbortSignal.any([signal, deadline.signal])
    const until = clock.elapsed() + within_ms
    const round = { signal: ends, is_urgent: true, isOver: () => ends.aborted }
    const found = new Map<string, Known>()
    this.#callers++
    try {
      for (let due = routes; due.length > 0;) {
        for (const [domain, known] of await this.#round(due, round)) found.set(domain, known)
        due = routes.filter(({ domain }) => isIndeterminate(found.get(domain), insists))
        const pause_ms = Math.min(...due.map(({ domain }) => this.#pauseBefore(found.get(domain))))
        const is_in_vain = due.length === 0 || clock.elapsed() + pause_ms >= until
        if (is_in_vain || !(await slept(clock, pause_ms, ends))) break
      }
    } finally {
      this.#callers--
      deadline.end()
    }
    const is_silent = found.size > 0 && [...found.values()].every(({ reached }) => !reached)
    const late: Proof = { result: 'unknown', evidence: is_silent ? SILENT : LATE, at: clock.now() }
    return new Map(routes.map(({ domain }) => [domain, found.get(domain) ?? late]))
  }

  last(): ReadonlyMap<string, Proof> {
    return this.#known
  }

  /** How many rounds of the timer have ended. */
  get rounds(): number {
    return this.#rounds
  }

  /** True when nobody answered for any route that was asked about. */
  isUnreachable(): boolean {
    const all = [...this.#known.values()]
    return all.length > 0 && all.every(({ reached }) => !reached)
  }

  /** Nobody is asked any more. */
  close(): void {
    this.#end.abort()
  }

  /** Gives up a proxy that is not there. */
  #round(
    routes: readonly ProvenRoute[],
    {
      isOver,
      ...round
    }: { readonly signal: AbortSignal; readonly is_urgent: boolean; readonly isOver: () => boolean },
  ): Promise<ReadonlyMap<string, Known>> {
    let silent = 0
    return this.#questions.round(
      routes.map((route) => [route.domain, route]),
      {
        ...round,
        isOver: () => silent >= MAX_SILENT || isOver(),
        saw: ({ reached }) => void (silent = reached ? 0 : silent + 1),
      },
    )
  }

  #pauseBefore(known: Known | undefined): Milliseconds {
    if (known?.result !== 'suspect') return INSISTS_EVERY_MS
    return known.asked_ms + known.again_ms - this.#parts.clock.elapsed()
  }

  #isDue(known: Known | undefined, now_ms: Milliseconds): boolean {
    if (known === undefined || known.asked_ms <= this.#invalidated_ms) return true
    if (known.asked_ms < this.#loaded_ms && now_ms >= this.#loaded_ms) return true
    return now_ms - known.asked_ms >= known.again_ms
  }

  /** An answer to a question that was put earlier says nothing against one to a later question. */
  async #askOne(route: ProvenRoute): Promise<Known> {
    const asked_ms = this.#parts.clock.elapsed()
    const seen = await askRoute(this.#parts, route, this.#end.signal)
    const { domain } = route
    const before = this.#known.get(domain)
    const known = this.#evaluated(seen, before, asked_ms)
    const is_newest = asked_ms >= (before?.asked_ms ?? -Infinity)
    if (is_newest && asked_ms > (this.#forgotten_ms.get(domain) ?? -Infinity)) this.#known.set(domain, known)
    return known
  }

  #evaluated(seen: RouteEvaluation, before: Known | undefined, asked_ms: Milliseconds): Known {
    const asked = { ...seen, at: this.#parts.clock.now(), asked_ms, open_since_ms: null }
    if (seen.result === 'closed') return { ...asked, again_ms: ASK_AGAIN_MS }
    if (seen.result === 'unknown') return { ...asked, again_ms: this.#unknownAgain(before) }
    const since_ms = before?.open_since_ms ?? asked_ms
    const is_sure =
      asked_ms - Math.max(since_ms, this.#loaded_ms) >= SURE_AFTER_MS ||
      asked_ms - since_ms >= SURE_REGARDLESS_MS
    return is_sure
      ? { ...asked, result: 'open', open_since_ms: since_ms, again_ms: ASK_AGAIN_MS }
      : { ...asked, result: 'suspect', open_since_ms: since_ms, again_ms: SURE_AFTER_MS }
  }

  #unknownAgain(before: Known | undefined): Milliseconds {
    const is_new = before?.result !== 'unknown' || before.asked_ms <= this.#invalidated_ms
    return is_new ? UNKNOWN_AGAIN_MS : Math.min(2 * before.again_ms, ASK_AGAIN_MS)
  }
}

const LATE = 'it was not asked in time'
const SILENT = 'it was not asked, since the proxy does not answer'

const isIndeterminate = (known: Known | undefined, insists: boolean): boolean =>
  known?.result === 'suspect' || (insists && known?.result === 'unknown')

/** False where the time is over before. */
const slept = (clock: Clock, ms: Milliseconds, ends: AbortSignal): Promise<boolean> =>
  clock.sleep(Math.max(0, ms), ends).then(
    () => true,
    () => false,
  )
