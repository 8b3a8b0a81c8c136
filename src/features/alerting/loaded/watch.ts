/**
 * Whether a server runs what stands in its files, and what is done where it does not: it is asked to read them again, and
 * believed only when it shows the mark of our rendering. What it runs already is never reloaded, since a reload of the router
 * begins every wait anew.
 *
 * An edit may bear our mark, and run after it was undone. So the mark counts only of a server that has read its files since they
 * changed, and each edit that is undone owes a reload that the server takes.
 *
 *   the server shows                      then
 *   our mark                              nothing: it is loaded
 *   our mark, and may have read an edit   it is reloaded, once
 *   another, and the files are not ours   nothing: their keeper says so
 *   another                               it is reloaded, and has to show the mark within ten seconds
 *   another, and the reload was refused   tried again after 30 s, then less and less often
 *   another, although it was reloaded     tried again after an hour, or when a file was written: it reads something else
 */
import { backoffDelay } from '../../../kernel/async/backoff.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import type { FileChanged } from '../../../kernel/changed-at.ts'
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
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
  /** When the last of them changed; null where that cannot be known. */
  readonly changed: () => FileChanged | null
  /** When it has read them last, by its own clock; null where it does not say. */
  readonly loadedAt: (signal: AbortSignal) => Promise<Instant | null>
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

const OTHER = 'runs another rendering: it reads another file, or has refused this one.'
const UNREAD = 'has read no file since: its log says why.'

export class LoadedWatch {
  readonly #parts: LoadedParts
  readonly #loop: Loop
  #state: LoadedState | null = null
  #failures = 0
  /** Edits of the files that were undone, and how many of them before a reload that it took. */
  #undone = 0
  #reloaded_after = 0
  /** As the files were when it is known to have read them. */
  #read: string | null = null
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

  /**
   * A file was written: what did not help before may help now.
   * @param is_undone what stood there was an edit of somebody else's
   */
  written({ is_undone }: { readonly is_undone: boolean }): void {
    this.#in_vain = null
    if (is_undone) this.#undone += 1
    this.#loop.wake()
  }

  /** As the last round left it; null before the first. */
  get state(): LoadedState | null {
    return this.#state
  }

  /** One look, with a reload where it is due. */
  async look(signal: AbortSignal): Promise<LoadedState> {
    const { isWritten, reload, mode, clock } = this.#parts
    const state = await this.#seen(signal)
    if (state.kind === 'loaded') this.#recovered()
    if (state.kind !== 'not_loaded') return state
    if (!(await isWritten(signal))) return { kind: 'not_written' }
    if (reload === null) return notLoaded(`${state.why} Its reload is set to none.`)
    if (mode() !== 'repair') return notLoaded(`${state.why} It is not reloaded in the mode ${mode()}.`)
    if (this.#in_vain !== null && clock.elapsed() < this.#in_vain.until_ms)
      return notLoaded(this.#in_vain.why)
    return this.#reloaded(reload, signal)
  }

  async #seen(signal: AbortSignal): Promise<LoadedState> {
    const state = await this.#shown(signal)
    if (state.kind !== 'loaded' || !(await this.#isOutdated(signal))) return state
    return notLoaded(`${this.#parts.name} has not read its files since they were written.`)
  }

  /** By the mark alone. */
  async #shown(signal: AbortSignal): Promise<LoadedState> {
    const { name, mark, running } = this.#parts
    const seen = await running(signal)
    if (!seen.known) return { kind: 'unknown', reason: seen.reason, detail: seen.detail }
    const { marks, sick } = seen.state
    return marks.includes(mark) ? { kind: 'loaded', sick } : notLoaded(`${name} runs another rendering.`)
  }

  /** Whether what runs may be an edit of our files that bears their mark. While they are edited, their keeper says so. */
  async #isOutdated(signal: AbortSignal): Promise<boolean> {
    const { changed, isWritten, reload } = this.#parts
    const files = changed()
    const is_owed = reload !== null && this.#undone > this.#reloaded_after
    if (!is_owed && (files === null || files.stamp === this.#read)) return false
    if (!(await isWritten(signal))) return false
    return is_owed || this.#isOlder(files!, signal)
  }

  /** Where that is not known the mark counts. A time that has not come yet is of a clock that was set back, and says nothing. */
  async #isOlder({ at, stamp }: FileChanged, signal: AbortSignal): Promise<boolean> {
    const { clock, loadedAt } = this.#parts
    const loaded_at = at > clock.now() ? null : await loadedAt(signal)
    if (loaded_at === null) return false
    if (loaded_at < at) return true
    this.#read = stamp
    return false
  }

  async #reloaded(reload: Reload, signal: AbortSignal): Promise<LoadedState> {
    const { assertNewest, changed, loadedAt } = this.#parts
    try {
      await assertNewest()
    } catch (error) {
      if (error instanceof Failure) return notLoaded(error.message)
      throw error
    }
    const undone = this.#undone
    const stamp = changed()?.stamp ?? null
    const loaded_at = await loadedAt(signal)
    const refusal = await reload(signal)
    if (refusal !== null) {
      this.#failures += 1
      return this.#failed(refusal, backoffDelay(BACKOFF, this.#failures, 1))
    }
    const state = await this.#proven(loaded_at, signal)
    // Of one that does not answer just then it counts that it took the reload: it may have been started anew.
    if (state.kind === 'not_loaded') return this.#failed(state.why, IN_VAIN_MS)
    this.#reloaded_after = undone
    this.#read = stamp
    return state
  }

  /** @param before when it had read its files last, before it was reloaded */
  async #proven(before: Instant | null, signal: AbortSignal): Promise<LoadedState> {
    const { clock, log, name, loadedAt } = this.#parts
    const until_ms = clock.elapsed() + PROOF_MS
    for (;;) {
      const state = await this.#shown(signal)
      if (state.kind === 'unknown') return state
      const has_read = before === null || (await loadedAt(signal)) !== before
      if (state.kind === 'loaded' && has_read) {
        this.#recovered()
        log.info('a server of alerting runs what was written', { server: name })
        return state
      }
      if (clock.elapsed() >= until_ms)
        return notLoaded(`${name} was reloaded, and ${state.kind === 'loaded' ? UNREAD : OTHER}`)
      await clock.sleep(PROOF_EVERY_MS, signal)
    }
  }

  #recovered(): void {
    this.#failures = 0
    this.#in_vain = null
  }

  #failed(why: string, wait_ms: Milliseconds): LoadedState {
    this.#in_vain = { why, until_ms: this.#parts.clock.elapsed() + wait_ms }
    return notLoaded(why)
  }
}

const notLoaded = (why: string): LoadedState => ({ kind: 'not_loaded', why })
