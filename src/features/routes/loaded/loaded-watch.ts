/**
 * Sees to it that every release is decided: loaded by the proxy, or not, and then what follows of it.
 *
 * A deploy decides at its end. It cannot when the daemon dies in the seconds after the write, when the proxy says nothing
 * then, or when another component failed first. Such a release is looked at until the proxy shows its state, by the same
 * rules as those of a deploy, and only where the newest file is on disk: a file that we could not write was not refused
 * by anybody. One that was decided as not loaded is looked at until it is, and so is one that a look at the proxy did not
 * find there, as after its restart: the health page hears of it at once. One that another release followed before anything
 * was decided is `superseded`. Sleeps while there is nothing to find out.
 */
import type { Milliseconds } from '../../../kernel/clock.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import { isGood } from '../../../model/report.ts'
import type { ReleaseHead } from '../../../ports/records/trails.ts'
import type { Deps } from '../deps.ts'
import { keptDecision } from '../proxy/decision-record.ts'
import { askRejected } from './rejected.ts'
import type { RecordStatuses } from './record-statuses.ts'
import { Superseded } from './superseded.ts'
import { awaitLoaded, isLoaded, loadedAmong, LOADED_WITHIN_MS } from './loaded.ts'

/** As long as a deploy has the first word about its own release. */
const DEPLOY_DECIDES_MS: Milliseconds = LOADED_WITHIN_MS + 5000
const FIRST_WAIT_MS: Milliseconds = 1000
const MAX_WAIT_MS: Milliseconds = 30_000
const NOTHING_TO_DECIDE_MS: Milliseconds = 24 * 3_600_000

export class LoadedWatch {
  readonly #deps: Deps
  readonly #statuses: RecordStatuses
  readonly #loop: Loop
  /** The newest release when the watch began: nobody waits for it any more. */
  #inherited: { readonly number: number | null } | null = null
  /** A release that is loaded, and of which the proxy has not said yet what it serves. */
  #served_unknown: number | null = null
  /** Somebody looked, and the proxy ran something else. */
  #missed = false
  readonly #superseded: Superseded
  #wait_ms = FIRST_WAIT_MS

  constructor(deps: Deps, statuses: RecordStatuses) {
    const { clock, log, store } = deps
    this.#deps = deps
    this.#statuses = statuses
    this.#superseded = new Superseded(store)
    this.#loop = new Loop({
      clock,
      round: async (signal) => {
        if (this.#inherited === null) await this.#inherit()
        return this.#look(signal)
      },
      failed: (error) => {
        log.warn('not decided whether the proxy loaded the newest release', { error })
        return this.#later()
      },
    })
  }

  async #inherit(): Promise<void> {
    const { store } = this.#deps
    const number = (await store.latestRelease().catch(() => null))?.number ?? null
    this.#inherited = { number }
    // A deploy that was cut off has not said what becomes of its names.
    if ((await store.openActivations()).length > 0) this.#served_unknown = number
  }

  start(): void {
    const { decisions, proxy } = this.#deps
    const { watch } = proxy
    if (this.#loop.signal !== null || watch === null) return
    decisions.onLeft(() => this.changed())
    watch.onObserved(() => void this.#seen().catch(() => undefined))
    this.#loop.start()
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** There is another release. */
  changed(): void {
    this.#wait_ms = FIRST_WAIT_MS
    this.#loop.wake()
  }

  async #seen(): Promise<void> {
    const { watch } = this.#deps.proxy
    const seen = watch?.last ?? null
    if (watch === null || seen?.known !== true) return
    const { loaded } = await loadedAmong(this.#deps, watch.routersOf(seen.snapshot).middlewares)
    if (loaded !== false || this.#missed) return
    this.#missed = true
    this.changed()
  }

  /** One look. Resolves with how long nothing is to be done. */
  async #look(signal: AbortSignal): Promise<Milliseconds> {
    const { store, clock, decisions } = this.#deps
    const head = await store.latestRelease()
    await this.#superseded.noteBefore(head, this.#inherited?.number ?? null)
    if (head?.digests['routes'] === undefined) return NOTHING_TO_DECIDE_MS
    const kept = await keptDecision(store, head)
    if (kept === 'not_loaded') return this.#curedIn(head, signal)
    if (kept === 'loaded' && this.#served_unknown === head.number)
      return this.#paused(await this.#noteServed(head, signal))
    if (kept === 'loaded' && this.#missed) return this.#foundIn(signal)
    if (kept !== null) return NOTHING_TO_DECIDE_MS
    const age_ms = clock.now() - head.created_at
    // A clock that was set back must not put it off for long.
    const is_left = head.number === this.#inherited?.number || decisions.isLeft(head)
    if (!is_left && age_ms < DEPLOY_DECIDES_MS)
      return this.#missed ? this.#later() : Math.min(DEPLOY_DECIDES_MS, DEPLOY_DECIDES_MS - age_ms)
    return this.#paused(await this.#decided(head, signal))
  }

  async #decided(head: ReleaseHead, signal: AbortSignal): Promise<boolean> {
    const { store, proxy, decisions } = this.#deps
    // Nothing is decided of what nobody has waited for, though it may have been written during the question.
    const may_decide = this.#mayDecide(head)
    const state = await (may_decide ? awaitLoaded : isLoaded)(this.#deps, signal)
    if (signal.aborted || (await store.latestRelease())?.number !== head.number) return false
    if (state.loaded === true) return this.#noteLoaded(head, signal)
    if (state.loaded === null) return false
    if (!may_decide || !this.#mayDecide(head)) return false
    const going = await decisions.decide(head, state)
    proxy.watch?.forget()
    // One that stays is looked at until somebody has cured it.
    return !('stays_because' in going)
  }

  /** Nothing is decided a second time; but where the proxy was cured and runs it, that is what became of it. */
  async #curedIn(head: ReleaseHead, signal: AbortSignal): Promise<Milliseconds> {
    const { store } = this.#deps
    const { loaded } = await isLoaded(this.#deps, signal)
    if (signal.aborted || loaded !== true || (await store.latestRelease())?.number !== head.number)
      return this.#later()
    return this.#paused(await this.#noteLoaded(head, signal))
  }

  async #foundIn(signal: AbortSignal): Promise<Milliseconds> {
    const { loaded } = await isLoaded(this.#deps, signal)
    return this.#paused(loaded === true && (await this.#tellLoaded()))
  }

  /** Who looked before was told otherwise. */
  async #tellLoaded(): Promise<true> {
    const { proxy, health } = this.#deps
    this.#missed = false
    proxy.watch?.forget()
    await health.rounds.look('proxy')
    return true
  }

  async #noteLoaded(head: ReleaseHead, signal: AbortSignal): Promise<boolean> {
    await this.#deps.decisions.loaded(head)
    this.#served_unknown = head.number
    const is_done = await this.#noteServed(head, signal)
    await this.#tellLoaded()
    return is_done
  }

  /**
   * Loaded is not served: nobody waits for the answer of its deploy any more, so the records say it. False while the proxy
   * does not say what it serves. A name that came with it may go back.
   */
  async #noteServed(head: ReleaseHead, signal: AbortSignal): Promise<boolean> {
    const found = await askRejected(this.#deps, signal)
    if (typeof found === 'string') return false
    const back = await this.#statuses.settleRenames(head, found)
    const others = found.filter(({ domain_id }) => !back.has(domain_id))
    if (others.length > 0) await this.#statuses.markRejected(others)
    this.#served_unknown = null
    return true
  }

  /** Whether the newest file is on disk, and we are to mend anything at all. */
  #mayDecide({ number }: ReleaseHead): boolean {
    const { engine } = this.#deps
    if (engine.modeOf('routes').mode !== 'repair') return false
    const report = engine.lastReports().find(({ component }) => component === 'routes')
    return report !== undefined && report.release === number && isGood(report)
  }

  #paused(is_done: boolean): Milliseconds {
    return is_done ? NOTHING_TO_DECIDE_MS : this.#later()
  }

  #later(): Milliseconds {
    const wait_ms = this.#wait_ms
    this.#wait_ms = Math.min(MAX_WAIT_MS, wait_ms * 2)
    return wait_ms
  }
}
