/**
 * Whether a server runs what stands in its files, and what is done where it does not: it is asked to read them again, and
 * believed only when it shows the mark of our rendering. What it runs already is never reloaded, since a reload of the router
 * begins every wait anew.
 *
 *   the server shows                      then
 *   our mark                              nothing: it is loaded
 *   another, and the files are not ours   nothing: their keeper says so
 *   another                               it is reloaded, and has to show the mark within ten seconds
 *   another, and the reload was refused   tried again after 30 s, then less and less often
 *   another, although it was reloaded     tried again after an hour, or when a file was written: it reads something else
 */
import { backoffDelay } from '../../../kernel/async/backoff.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Mode } from '../../../model/mode.ts'
import type { Answer } from '../servers/ask.ts'
import type { Running } from '../servers/running.ts'

type Reload = (signal: AbortSignal) => Promise<string | null>

export interface LoadedParts {
  /** As the server is called in sentences. */
  readonly name: string
  readonly mark: string
  readonly clock: Clock
  readonly log: Log
  readonly running: (signal: AbortSignal) => Promise<Answer<Running>>
  /** Whether what is wanted stands in all files of ours that it reads. */
  readonly isWritten: (signal: AbortSignal) => Promise<boolean>
  /** Resolves with null where it was taken, else with the reason. Null where somebody else sees to it. */
  readonly reload: Reload | null
  readonly mode: () => Mode
  /** Throws while nothing may go outside. */
  readonly assertNewest: () => Promise<void>
}

export type LoadedState =
  | { readonly kind: 'loaded'; readonly sick: readonly string[] }
  | { readonly kind: 'not_loaded'; readonly why: string }
  /** The files are not as they should be, which their keeper says. */
  | { readonly kind: 'not_written' }
  | { readonly kind: 'unknown'; readonly reason: 'unreachable' | 'malformed'; readonly detail: string }

const EVERY_MS: Milliseconds = 15_000
/** It may answer the reload before it has read anything. */
const PROOF_MS: Milliseconds = 10_000
const PROOF_EVERY_MS: Milliseconds = 250
const BACKOFF = { first_ms: 30_000, max_ms: 600_000 }
const IN_VAIN_MS: Milliseconds = 3_600_000
const GRACE_MS: Milliseconds = 1_000

export class LoadedWatch {
  readonly #parts: LoadedParts
  readonly #loop: Loop
  #state: LoadedState | null = null
  #failures = 0
  /** Why the last reload did not help, and until when there is no other; null where none is due to have helped. */
  #in_vain: { readonly why: string; readonly until_ms: Milliseconds } | null = null

  constructor(parts: LoadedParts) {
    this.#parts = parts
    this.#loop = new Loop({
      clock: parts.clock,
      least_ms: 500,
      round: async (signal) => {
        this.#state = await this.look(signal)
        return EVERY_MS
      },
      failed: (error) =>
        parts.log.warn('not known what a server of alerting runs', { server: parts.name, error }),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop({ grace_ms: GRACE_MS })
  }

  /** A file was written: what did not help before may help now. */
  written(): void {
    this.#in_vain = null
    this.#loop.wake()
  }

  /** As the last round left it; null before the first. */
  get state(): LoadedState | null {
    return this.#state
  }

  /** One look, with a reload where it is due. */
  async look(signal: AbortSignal): Promise<LoadedState> {
    const { name, isWritten, reload, mode, clock } = this.#parts
    const state = await this.#seen(signal)
    if (state.kind !== 'not_loaded') return state
    if (!(await isWritten(signal))) return { kind: 'not_written' }
    if (reload === null) return notLoaded(`${name} runs another rendering, and its reload is set to none.`)
    if (mode() !== 'repair')
      return notLoaded(`${name} runs another rendering, and is not reloaded in the mode ${mode()}.`)
    if (this.#in_vain !== null && clock.elapsed() < this.#in_vain.until_ms)
      return notLoaded(this.#in_vain.why)
    return this.#reloaded(reload, signal)
  }

  async #seen(signal: AbortSignal): Promise<LoadedState> {
    const { name, mark, running } = this.#parts
    const seen = await running(signal)
    if (!seen.known) return { kind: 'unknown', reason: seen.reason, detail: seen.detail }
    const { marks, sick } = seen.state
    if (!marks.includes(mark)) return notLoaded(`${name} runs another rendering.`)
    this.#failures = 0
    this.#in_vain = null
    return { kind: 'loaded', sick }
  }

  async #reloaded(reload: Reload, signal: AbortSignal): Promise<LoadedState> {
    const { assertNewest, clock, log, name } = this.#parts
    try {
      await assertNewest()
    } catch (error) {
      if (error instanceof Failure) return notLoaded(error.message)
      throw error
    }
    const refusal = await reload(signal)
    if (refusal !== null) {
      this.#failures += 1
      return this.#failed(refusal, backoffDelay(BACKOFF, this.#failures, 1))
    }
    const until_ms = clock.elapsed() + PROOF_MS
    for (;;) {
      const state = await this.#seen(signal)
      if (state.kind === 'loaded') log.info('a server of alerting runs what was written', { server: name })
      if (state.kind !== 'not_loaded') return state
      if (clock.elapsed() >= until_ms)
        return this.#failed(
          `${name} was reloaded, and runs another rendering: it reads another file, or has refused this one.`,
          IN_VAIN_MS,
        )
      await clock.sleep(PROOF_EVERY_MS, signal)
    }
  }

  #failed(why: string, wait_ms: Milliseconds): LoadedState {
    this.#in_vain = { why, until_ms: this.#parts.clock.elapsed() + wait_ms }
    return notLoaded(why)
  }
}

const notLoaded = (why: string): LoadedState => ({ kind: 'not_loaded', why })
