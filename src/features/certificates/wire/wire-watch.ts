/**
 * What each served name is shown by the proxy, by a handshake with it: after each change, every five minutes, and sooner
 * where it was not well. At most twenty handshakes begin in a second, so that ten thousand names are gone through in turns.
 *
 *   never asked        at once         unknown until then
 *   its own            4.5 min         so that it is told within five
 *   another, unknown   30 s            seen to recover soon
 *   after a change     at once         what was seen before stands until then
 *
 * The proxy takes a change up within seconds: another certificate that is seen so soon after one says nothing yet.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import { SingleFlight } from '../../../kernel/async/single-flight.ts'
import { mapLimit } from '../../../kernel/async/map-limit.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { Handshake, TlsProbe } from '../tls-probe/port.ts'
import type { AskedDomain, ExpectedOf } from './expected.ts'
import { evaluateWire, type WireResult } from './evaluate-wire.ts'

export interface WireName extends AskedDomain {
  readonly domain_id: number
}

export interface WireObservation extends WireResult {
  readonly at: Instant
  /** When it began to be so. */
  readonly since: Instant
}

export interface WireWatchParts {
  readonly probe: TlsProbe
  /** Where the proxy serves TLS. */
  readonly address: { readonly host: string; readonly port: number }
  /** Names that are deployed with TLS. Throws where that cannot be told. */
  readonly names: () => Promise<readonly WireName[]>
  /** What could be served by now. Throws where nothing of it can be read. */
  readonly expected: (signal: AbortSignal) => Promise<(asked: AskedDomain) => ExpectedOf>
  readonly clock: Clock
  readonly log: Log
}

const EVERY_MS: Milliseconds = 270_000
const AGAIN_MS: Milliseconds = 30_000
const SETTLED_MS: Milliseconds = 4_000
/** Between the beginnings of two handshakes. */
const PACE_MS: Milliseconds = 50
const MAX_AT_ONCE = 10
/** Names of one turn: what became more urgent meanwhile comes next. */
const MAX_IN_TURN = 100
const MAX_PAUSE_MS: Milliseconds = 30_000
/** Whoever asks for a fresh look waits for at most this long, and is told what is known by then. */
const ANSWER_TIMEOUT_MS: Milliseconds = 1_000
/** The same where nobody else asks, as for a command without a daemon. */
const ALONE_MS: Milliseconds = 10_000
/** How many are asked within that time. */
const MAX_AFRESH = ANSWER_TIMEOUT_MS / PACE_MS
/** What was asked so long ago and has not answered is not what it was. */
const HANGING_MS: Milliseconds = 800
/** What was asked so recently is fresh. */
const FRESH_MS: Milliseconds = 2_000

interface Known extends WireObservation {
  /** On the monotonic clock. */
  readonly asked_ms: Milliseconds
  /** On the monotonic clock: when it is to be asked again. */
  readonly due_ms: Milliseconds
  /** Somebody wants to know what a handshake shows that begins then, or later. */
  readonly wanted_ms: Milliseconds
}

export class WireWatch {
  readonly #parts: WireWatchParts
  readonly #known = new Map<string, Known>()
  /** Since when each is being asked, on the monotonic clock. */
  readonly #asking = new Map<string, Milliseconds>()
  readonly #loop: Loop
  readonly #turn = new SingleFlight((signal: AbortSignal) => this.#ask(signal))
  #changed_ms: Milliseconds = -Infinity
  #changes = 0
  #slot_ms: Milliseconds = -Infinity
  #is_news = false
  readonly #listeners: (() => void)[] = []

  constructor(parts: WireWatchParts) {
    const { clock, log } = parts
    this.#parts = parts
    this.#loop = new Loop({
      clock,
      round: (signal) => this.#joinTurn(signal),
      failed: (error) => {
        log.warn('not looked at what the proxy serves', { error })
        return MAX_PAUSE_MS
      },
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Resolves when nothing is asked any more. */
  stop(): Promise<void> {
    return this.#loop.stop({ reason: new Failure('shutting_down', 'The proxy is not asked any more.') })
  }

  /** What the proxy is to serve has changed. */
  changed(): void {
    this.#changed_ms = this.#parts.clock.elapsed()
    this.#changes++
    this.#invalidate(this.#changed_ms, () => true)
  }

  /** Calls `listener` when something else was seen than before. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** What is known of every name that is deployed with TLS now; null for one that was not asked yet. */
  async observations(): Promise<readonly (WireName & { readonly observation: WireObservation | null })[]> {
    const names = await this.#parts.names()
    return names.map((name) => ({ ...name, observation: this.#observationOf(name.domain) }))
  }

  /**
   * Asks anew, as far as there is time: one name, or all; of more than can be asked in time those that were not well. Throws
   * the signal's reason.
   * @param insists what was asked a moment ago is not fresh enough: nothing that began before this call is
   */
  async refresh(signal: AbortSignal, only?: string, insists = false): Promise<void> {
    const { clock } = this.#parts
    const are_few = this.#known.size <= MAX_AFRESH
    this.#invalidate(clock.elapsed() - (insists ? 0 : FRESH_MS), (domain, { drift }) =>
      only === undefined ? are_few || drift !== false : domain === only,
    )
    const ms = this.#loop.signal === null ? ALONE_MS : ANSWER_TIMEOUT_MS
    await withTimeout(
      { clock, ms, signal },
      (ends) => this.#untilAsked(ends),
      () => undefined,
    )
  }

  /** Somebody has shaken hands with a name. Null for a name that is not deployed with TLS. */
  async note(domain: string, handshake: Handshake, signal: AbortSignal): Promise<WireObservation | null> {
    const name = (await this.#parts.names()).find((one) => one.domain === domain)
    if (name === undefined) return null
    const changes = this.#changes
    const expected = await this.#parts.expected(signal)
    const observation = this.#keep(name, handshake, {
      expected,
      asked_ms: this.#parts.clock.elapsed(),
      changes,
    })
    this.#tell()
    return observation
  }

  #observationOf(domain: string): WireObservation | null {
    const known = this.#known.get(domain) ?? null
    const hangs_ms = this.#parts.clock.elapsed() - (this.#asking.get(domain) ?? Infinity)
    if (known?.drift !== false || hangs_ms < HANGING_MS) return known
    const at = this.#parts.clock.now()
    return { drift: null, detail: HANGS, at, since: at }
  }

  /** What was asked before then is to be asked again. */
  #invalidate(before_ms: Milliseconds, isMeant: (domain: string, known: Known) => boolean): void {
    for (const [domain, known] of this.#known)
      if (known.asked_ms <= before_ms && isMeant(domain, known))
        this.#known.set(domain, { ...known, due_ms: -Infinity, wanted_ms: before_ms })
    this.#loop.wake()
  }

  async #untilAsked(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if ((await this.#joinTurn(signal)) > 0) return
    }
  }

  /** One turn at a time. A caller who leaves ends only the turn that is its own. */
  #joinTurn(signal: AbortSignal): Promise<Milliseconds> {
    const ends = this.#loop.signal ?? signal
    return this.#turn.join(ends)
  }

  /** Asks those that are due. Resolves with how long nobody is; 0 while somebody is. */
  async #ask(signal: AbortSignal): Promise<Milliseconds> {
    const { names: listNames, expected: readExpected, clock, probe, address } = this.#parts
    const changes = this.#changes
    const names = await listNames()
    const listed = new Set(names.map(({ domain }) => domain))
    for (const domain of this.#known.keys()) if (!listed.has(domain)) this.#known.delete(domain)
    const due = this.#dueAmong(names)
    if (due.length === 0) return this.#pause(names)
    const expected = await readExpected(signal)
    await mapLimit(due.slice(0, MAX_IN_TURN), { at_once: MAX_AT_ONCE }, async (name) => {
      await this.#pace(signal)
      const asked_ms = clock.elapsed()
      this.#asking.set(name.domain, asked_ms)
      try {
        const handshake = await probe.handshake({ ...address, name: name.domain }, signal)
        this.#keep(name, handshake, { expected, asked_ms, changes })
      } finally {
        this.#asking.delete(name.domain)
      }
    })
    this.#tell()
    return this.#pause(names)
  }

  /** Who was never asked first, then who is waited for longest. */
  #dueAmong(names: readonly WireName[]): readonly WireName[] {
    const now_ms = this.#parts.clock.elapsed()
    const askedAt = ({ domain }: WireName) => this.#known.get(domain)?.asked_ms ?? -1
    return names
      .filter(({ domain }) => (this.#known.get(domain)?.due_ms ?? -Infinity) <= now_ms)
      .sort((a, b) => askedAt(a) - askedAt(b))
  }

  #pause(names: readonly WireName[]): Milliseconds {
    const now_ms = this.#parts.clock.elapsed()
    const next_ms = names.reduce(
      (least, { domain }) => Math.min(least, this.#known.get(domain)?.due_ms ?? -Infinity),
      now_ms + MAX_PAUSE_MS,
    )
    return Math.max(0, next_ms - now_ms)
  }

  async #pace(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    const now_ms = clock.elapsed()
    const begins_ms = Math.max(now_ms, this.#slot_ms)
    this.#slot_ms = begins_ms + PACE_MS
    if (begins_ms > now_ms) await clock.sleep(begins_ms - now_ms, signal)
    signal.throwIfAborted()
  }

  #keep(name: WireName, handshake: Handshake, { expected, asked_ms, changes }: Asking): WireObservation {
    const at = this.#parts.clock.now()
    const before = this.#known.get(name.domain)
    // What a later question has brought stands.
    if (before !== undefined && before.asked_ms > asked_ms) return before
    const seen = evaluateWire(handshake, { ...expected(name), domain: name.domain }, at)
    const is_early = seen.drift === true && before?.drift !== true && asked_ms - this.#changed_ms < SETTLED_MS
    const result = is_early ? { drift: null, detail: `${TOO_EARLY} ${seen.detail}` } : seen
    const since = before !== undefined && before.drift === result.drift ? before.since : at
    // What was expected before a change, or begun before it or before somebody asked, does not put off the question after it.
    const wanted_ms = before?.wanted_ms ?? -Infinity
    const is_outdated = changes !== this.#changes || asked_ms < wanted_ms
    const due_ms = is_outdated ? -Infinity : asked_ms + (is_early ? SETTLED_MS : pauseAfter(result))
    const known = { ...result, at, since, asked_ms, due_ms, wanted_ms }
    this.#known.set(name.domain, known)
    this.#is_news ||= before?.drift !== result.drift || before.detail !== result.detail
    return known
  }

  #tell(): void {
    if (!this.#is_news) return
    this.#is_news = false
    for (const listener of this.#listeners) listener()
  }
}

/** The proxy may not have taken the change up yet. */
const TOO_EARLY = 'Seen moments after a change; it is looked at again.'

const HANGS = 'The proxy has not finished a handshake with it yet, which was begun a moment ago.'

interface Asking {
  readonly expected: (asked: AskedDomain) => ExpectedOf
  readonly asked_ms: Milliseconds
  /** How many changes there had been when it was read what is expected. */
  readonly changes: number
}

const pauseAfter = ({ drift }: WireResult): Milliseconds => (drift === false ? EVERY_MS : AGAIN_MS)
