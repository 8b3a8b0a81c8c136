/**
 * Whether a server runs what stands in its files, and what is done where it does not: it is asked to read them again, and
 * believed only when it shows the mark of our rendering. What it runs already is never reloaded, since a reload of the router
 * begins every wait anew.
 *
 * An edit may bear our mark, and run after it was undone. So the mark counts only of a server that is known to have read its files
 * as they are. By the time at which it has read them last, which its metrics show:
 *
 *   that time                             then it runs
 *   is as it was at an earlier look       what it ran then: it has read nothing since
 *   has moved, and no file has changed    our files: whoever had it read them
 *   is new to us, and so are the files    our files, if it is later than their change, and we know of no edit that was undone
 *   is not known                          our files, until an edit is undone
 *
 *   the server shows                      then
 *   our mark                              nothing: it is loaded
 *   our mark, and may run an edit         it is reloaded, and has to read its files within ten seconds
 *   another, and the files are not ours   nothing: their keeper says so
 *   another                               it is reloaded, and has to show the mark within ten seconds
 *   any, and the reload was refused       tried again after 30 s, then less and less often
 *   any, although it was reloaded         tried again after an hour, or when a file was written: it reads something else
 */
import { backoffDelay } from '../../../kernel/async/backoff.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import type { FileChanged } from '../../../kernel/changed-at.ts'
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Mode } from '../../../model/mode.ts'
import type { Report } from '../../../model/report.ts'
import type { Answer } from '../servers/ask.ts'
import type { Running } from '../servers/running.ts'

type Reload = (signal: AbortSignal) => Promise<string | null>

export interface LoadedParts {
  /** As the server is called in sentences. */
  readonly name: string
  readonly mark: string
  /** Of the files of ours that it reads, as the engine reports them. */
  readonly keys: readonly string[]
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
/** It shows that it has read its files when it is through with that: so long after it began, at most. */
const READING_MS: Milliseconds = 10_000

const OTHER = 'runs another rendering: it reads another file, or has refused this one.'
const UNREAD = 'has read no file since: its log says why.'

/** What was known of it when the files were ours. */
interface Known {
  /** Of the files. */
  readonly stamp: string
  readonly loaded_at: Instant | null
  readonly runs_ours: boolean
}

export class LoadedWatch {
  readonly #parts: LoadedParts
  readonly #loop: Loop
  #state: LoadedState | null = null
  #failures = 0
  #known: Known | null = null
  /** As the files were when they were last seen to be ours. */
  #stamp: string | null = null
  /** An edit was undone since what is known was known: it may run that. */
  #may_run_edit = false
  /** Files that have been as they should be in this process: then no other settings are the reason of a write. */
  readonly #stood = new Set<string>()
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

  /** A file was written: what did not help before may help now, and where that undid an edit, it may run that. */
  reported({ key, outcome, undone }: Pick<Report, 'key' | 'outcome' | 'undone'>): void {
    if (!this.#parts.keys.includes(key)) return
    // Of a pass that somebody asked for it is not told what it undid.
    const is_undone = undone !== undefined || (outcome === 'repaired' && this.#stood.has(key))
    if (outcome === 'repaired' || outcome === 'clean') this.#stood.add(key)
    if (outcome !== 'repaired' && !is_undone) return
    this.#in_vain = null
    if (is_undone) this.#may_run_edit = true
    this.#loop.wake()
  }

  /** As the last round left it; null before the first. */
  get state(): LoadedState | null {
    return this.#state
  }

  /** One look, with a reload where it is due. */
  async look(signal: AbortSignal): Promise<LoadedState> {
    const { reload, mode, clock } = this.#parts
    const state = await this.#seen(signal)
    if (state.kind === 'loaded') this.#recovered()
    if (state.kind !== 'not_loaded') return state
    if (reload === null) return notLoaded(`${state.why} Its reload is set to none.`)
    if (mode() !== 'repair') return notLoaded(`${state.why} It is not reloaded in the mode ${mode()}.`)
    if (this.#in_vain !== null && clock.elapsed() < this.#in_vain.until_ms)
      return notLoaded(this.#in_vain.why)
    return this.#reloaded(reload, signal)
  }

  async #seen(signal: AbortSignal): Promise<LoadedState> {
    const { name, changed, isWritten, loadedAt } = this.#parts
    const before = await loadedAt(signal)
    const state = await this.#shown(signal)
    if (state.kind === 'unknown') return state
    const files = changed()
    const loaded_at = await loadedAt(signal)
    // While they are edited, or just being written, their keeper says so.
    if (files === null || !(await isWritten(signal)) || changed()?.stamp !== files.stamp)
      return state.kind === 'loaded' ? state : { kind: 'not_written' }
    const runs_ours = state.kind === 'loaded' && this.#runsOurs(files, loaded_at)
    // Where it has read them in between, what it showed may be of before.
    if (before === loaded_at) this.#note(files, loaded_at, runs_ours)
    return state.kind === 'loaded' && !runs_ours
      ? notLoaded(`${name} is not known to have read its files since they were written.`)
      : state
  }

  /** By the mark alone. */
  async #shown(signal: AbortSignal): Promise<LoadedState> {
    const { name, mark, running } = this.#parts
    const seen = await running(signal)
    if (!seen.known) return { kind: 'unknown', reason: seen.reason, detail: seen.detail }
    const { marks, sick } = seen.state
    return marks.includes(mark) ? { kind: 'loaded', sick } : notLoaded(`${name} runs another rendering.`)
  }

  /** Of one that shows our mark. A change that has not come yet is of a clock that was set back, and says nothing. */
  #runsOurs({ stamp, at }: FileChanged, loaded_at: Instant | null): boolean {
    const { clock, reload } = this.#parts
    const known = this.#known
    // Where nobody would reload it, the time alone counts: it may have been reloaded already.
    const may_run_edit = this.#may_run_edit && reload !== null
    if (loaded_at === null) return !may_run_edit && known?.runs_ours !== false
    if (loaded_at === known?.loaded_at) return known.runs_ours
    if (stamp === known?.stamp) return true
    return !may_run_edit && (loaded_at >= at || at > clock.now())
  }

  #note({ stamp, at }: FileChanged, loaded_at: Instant | null, runs_ours: boolean): void {
    this.#stamp = stamp
    if (loaded_at === null) return
    // It may be reading still what stood there before.
    if (runs_ours && this.#parts.clock.now() - at < READING_MS) return
    this.#known = { stamp, loaded_at, runs_ours }
    this.#may_run_edit = false
  }

  async #reloaded(reload: Reload, signal: AbortSignal): Promise<LoadedState> {
    const { assertNewest, changed, loadedAt } = this.#parts
    const stamp = this.#stamp
    try {
      await assertNewest()
    } catch (error) {
      if (error instanceof Failure) return notLoaded(error.message)
      throw error
    }
    const before = await loadedAt(signal)
    const refusal = await reload(signal)
    if (refusal !== null) {
      this.#failures += 1
      return this.#failed(refusal, backoffDelay(BACKOFF, this.#failures, 1))
    }
    const { state, loaded_at } = await this.#proven(before, signal)
    // Of one that does not answer just then it counts that it took the reload: it may have been started anew.
    if (state.kind === 'not_loaded') return this.#failed(state.why, IN_VAIN_MS)
    if (stamp === null || changed()?.stamp !== stamp) return state
    this.#known = { stamp, loaded_at, runs_ours: true }
    this.#may_run_edit = false
    return state
  }

  /** @param before when it had read its files last, before it was reloaded */
  async #proven(
    before: Instant | null,
    signal: AbortSignal,
  ): Promise<{ readonly state: LoadedState; readonly loaded_at: Instant | null }> {
    const { clock, log, name, loadedAt } = this.#parts
    const until_ms = clock.elapsed() + PROOF_MS
    for (;;) {
      const state = await this.#shown(signal)
      if (state.kind === 'unknown') return { state, loaded_at: before }
      const loaded_at = await loadedAt(signal)
      const has_read = before === null || (loaded_at !== null && loaded_at !== before)
      if (state.kind === 'loaded' && has_read) {
        this.#recovered()
        log.info('a server of alerting runs what was written', { server: name })
        return { state, loaded_at }
      }
      if (clock.elapsed() >= until_ms) {
        const why = `${name} was reloaded, and ${state.kind === 'loaded' ? UNREAD : OTHER}`
        return { state: notLoaded(why), loaded_at }
      }
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
