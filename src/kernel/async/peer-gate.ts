/**
 * Spares callers the wait for a peer that is known not to answer. A call that came to nothing raises a suspicion; once a
 * probe has confirmed it, every call is refused at once, with the time of the next attempt, while one probe at a time finds
 * out whether the peer is back.
 */
import { type Clock, isoTime, type Milliseconds } from '../clock.ts'
import { Failure } from '../failure.ts'

/**
 * What an error says of the peer. `alive`: it answered, only not what was asked for. `gone`: nobody is there. `silent`: this
 * one call came to nothing, which may be its own fault, or the caller left.
 */
export type Sign = 'alive' | 'gone' | 'silent'

export interface PeerGateOptions {
  readonly clock: Clock
  /** How it is called in messages: an origin, or host and port. */
  readonly place: string
  /** Resolves as soon as the peer shows any sign of life; rejects after `max_ms` and with whatever else is wrong. */
  readonly probe: (signal: AbortSignal, max_ms: Milliseconds) => Promise<unknown>
  readonly signOf: (error: unknown) => Sign
  /** How often a dead peer is tried. */
  readonly every_ms?: Milliseconds | undefined
  /** A failure that came sooner held nobody up, and says nothing of the next one. */
  readonly held_up_ms?: Milliseconds | undefined
  /** Called when the peer answers again. */
  readonly back?: (() => void) | undefined
}

export interface Visit {
  /** Of the caller. */
  readonly signal: AbortSignal
  /** Goes past the gate. */
  readonly insists?: boolean | undefined
}

/** What a refusal of the gate says inside: nothing was sent. */
export const KNOWN_DEAD = 'KNOWN_DEAD'
/** The first probe gets so long, each further one twice as long, up to the longest: a slow peer comes back, too. */
const PROBE_MS: Milliseconds = 1000
const MAX_PROBE_MS: Milliseconds = 5000
const EVERY_MS: Milliseconds = 5000

interface Suspicion {
  /** Why, as a sentence. */
  readonly message: string
  /** False until the first probe came to nothing, too. */
  is_confirmed: boolean
  /** The end of that probe. */
  readonly settled: PromiseWithResolvers<void>
  next_attempt_at: number
}

export class PeerGate {
  readonly #options: PeerGateOptions
  readonly #every_ms: Milliseconds
  readonly #closing = new AbortController()
  #suspicion: Suspicion | null = null

  constructor(options: PeerGateOptions) {
    this.#options = options
    this.#every_ms = options.every_ms ?? EVERY_MS
  }

  /** Does the work, and takes its end for a sign of life. Throws as `check` does. */
  async run<T>(work: () => Promise<T>, { signal, insists = false }: Visit): Promise<T> {
    if (!insists) await this.check()
    const { clock } = this.#options
    const began_ms = clock.elapsed()
    const failed = (error: unknown) => this.failed(error, clock.elapsed() - began_ms)
    // At once, so that nobody who comes while the work is taken down waits as long.
    const left = () => failed(signal.reason)
    signal.addEventListener('abort', left, { once: true })
    try {
      const result = await work()
      this.alive()
      return result
    } catch (error) {
      failed(error)
      throw error
    } finally {
      signal.removeEventListener('abort', left)
    }
  }

  /**
   * Throws `component_unavailable` (`inside` is `KNOWN_DEAD`) at once where the peer is known dead; where it is suspected,
   * after the probe that decides, which takes a second at most.
   */
  async check(): Promise<void> {
    if (this.#suspicion?.is_confirmed === false) await this.#suspicion.settled.promise
    if (this.#suspicion?.is_confirmed !== true) return
    const { message, next_attempt_at } = this.#suspicion
    const retry_after_ms = Math.max(0, next_attempt_at - this.#options.clock.now())
    const detail = `${message} It is unreachable; next attempt at ${isoTime(next_attempt_at)}.`
    throw new Failure('component_unavailable', detail, { retry_after_ms, inside: KNOWN_DEAD })
  }

  /** It showed a sign of life. */
  alive(): void {
    const was_dead = this.#suspicion?.is_confirmed === true
    this.#suspicion = null
    if (was_dead) this.#options.back?.()
  }

  /** Something that was asked of it came to nothing after so long. */
  failed(error: unknown, waited_ms: Milliseconds): void {
    const { place, signOf, held_up_ms = PROBE_MS } = this.#options
    const sign = signOf(error)
    if (sign === 'alive') return this.alive()
    const is_ours = error instanceof Failure
    // A caller who left at once has not waited for the peer; one who left after a while has.
    if (waited_ms < (is_ours ? held_up_ms : PROBE_MS)) return
    if (this.#suspicion !== null || this.#closing.signal.aborted) return
    const message = is_ours ? error.message : `${place} did not answer within ${Math.round(waited_ms)} ms.`
    const next_attempt_at = this.#options.clock.now() + this.#every_ms
    const settled = Promise.withResolvers<void>()
    this.#suspicion = { message, is_confirmed: sign === 'gone', settled, next_attempt_at }
    void this.#watch(this.#suspicion)
  }

  /** Nobody is probed any more. */
  close(): void {
    this.#closing.abort(new Failure('shutting_down', 'Nobody is asked any more.'))
  }

  async #watch(suspicion: Suspicion): Promise<void> {
    const { clock } = this.#options
    let max_ms = PROBE_MS
    const is_back = !suspicion.is_confirmed && (await this.#answers(suspicion, max_ms))
    suspicion.is_confirmed = !is_back
    suspicion.settled.resolve()
    while (this.#suspicion === suspicion) {
      suspicion.next_attempt_at = clock.now() + this.#every_ms
      const slept = await clock.sleep(this.#every_ms, this.#closing.signal).then(
        () => true,
        () => false,
      )
      if (!slept || this.#suspicion !== suspicion || (await this.#answers(suspicion, max_ms))) return
      max_ms = Math.min(2 * max_ms, MAX_PROBE_MS)
    }
  }

  async #answers(suspicion: Suspicion, max_ms: Milliseconds): Promise<boolean> {
    try {
      await this.#options.probe(this.#closing.signal, max_ms)
    } catch (error) {
      if (this.#options.signOf(error) !== 'alive') return false
    }
    if (this.#suspicion === suspicion) this.alive()
    return true
  }
}
