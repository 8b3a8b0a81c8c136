/**
 * Decides when each key is looked at, and sees that no key is worked on twice at once.
 *
 * One timer waits for the next due key. A tick whose target shows the same glance as after its last clean look, with the
 * same release, costs that glance and nothing else. Callers wait for a pass that began after they asked.
 */
import type { Clock, Instant, Milliseconds } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { waitAtMost } from '../kernel/async/wait-at-most.ts'
import type { Report } from '../model/report.ts'
import {
  type Answered,
  askedFor,
  type Asking,
  handOver,
  hasSeenAll,
  type KeyState,
  newState,
  noteEnd,
  nothingNew,
  type Seen,
} from './key-state.ts'
import { pass } from './pass/pass.ts'
import { passLog } from './pass/pass-log.ts'
import type { PassParts } from './pass/pass-parts.ts'
import { toAll } from './progress.ts'
import { KeyQueue, PRIORITY, type Priority, type Taken } from './queue.ts'
import type { AnyTarget } from './target.ts'
import { passWithin } from './observation.ts'

/** Timers of Node take at most this; a later due time is simply checked again then. */
const MAX_SLEEP_MS: Milliseconds = 60_000
/** A due time further ahead than any backoff was kept under a wrong clock. */
const MAX_BAN_MS: Milliseconds = 24 * 3_600_000
/** Hints come in bursts (a rename is several events): one look answers them all. */
const HINT_DEBOUNCE_MS: Milliseconds = 50

/** How long cancelled passes may take to notice. */
const DRAIN_MS: Milliseconds = 500

export class Controller {
  readonly #parts: PassParts
  #keys: ReadonlyMap<string, KeyState> = new Map()
  readonly #queue = new KeyQueue()
  readonly #stop = new AbortController()
  readonly #listeners: ((report: Report) => void)[] = []
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  #generation = 0
  #ticking = false
  #stopping = false

  constructor(parts: PassParts) {
    this.#parts = parts
    this.onReport(passLog(parts))
  }

  get #clock(): Clock {
    return this.#parts.clock
  }

  /** Begins to watch and to tick. The first look at each key is due at once, or when its backoff ends. */
  start(): void {
    this.#ticking = true
    for (const state of this.#keys.values()) this.#attend(state)
    this.#arm()
  }

  /** From now on these are the keys. One that is worked on while it leaves is finished, and does not come back. */
  retarget(targets: readonly AnyTarget[]): void {
    if (this.#stopping) return
    const before = this.#keys
    this.#keys = new Map(targets.map((target) => [target.key, before.get(target.key) ?? newState(target)]))
    for (const [key, state] of before) if (!this.#keys.has(key)) this.#leave(key, state)
    if (!this.#ticking) return
    for (const [key, state] of this.#keys) if (!before.has(key)) this.#attend(state)
    this.#arm()
  }

  /** In the order of work. */
  targets(): readonly AnyTarget[] {
    return [...this.#keys.values()].map(({ target }) => target)
  }

  /** No new pass begins; waits for the ones under way, at most `grace_ms`, then cancels them. */
  async stop(grace_ms: Milliseconds): Promise<void> {
    const stopping = new Failure('shutting_down', 'The daemon is shutting down; ask again when it is back.')
    this.#stopping = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const state of this.#keys.values()) {
      state.watch?.close()
      state.watch = null
    }
    for (const state of this.#keys.values())
      if (!state.is_running) for (const waiter of state.asked.splice(0)) waiter.reject(stopping)
    await this.#settled(grace_ms)
    this.#stop.abort(stopping)
    await this.#settled(DRAIN_MS)
    for (const state of this.#keys.values())
      for (const waiter of state.asked.splice(0)) waiter.reject(stopping)
  }

  /** The world may have changed: look soon. */
  hint(key: string): void {
    const now = this.#clock.now()
    const state = this.#keys.get(key)
    if (state === undefined || this.#stopping) return
    state.clean = null
    state.hints++
    this.#queue.add(key, PRIORITY.hinted, now + HINT_DEBOUNCE_MS)
    this.#arm()
  }

  /**
   * Somebody looked and found what was not known. A wait that a failed repair has asked for goes on; one that began
   * because the world could not be read is over once somebody could.
   */
  lookSoon(key: string, could_read: boolean): void {
    const { memory } = this.#parts
    const state = this.#keys.get(key)
    if (state === undefined || !this.#ticking || memory.modeOf(state.target.name).mode === 'suspend') return
    const is_over = could_read && state.report?.outcome === 'unknown'
    if (is_over || (memory.waitsUntil(key) ?? 0) <= this.#clock.now()) this.hint(key)
  }

  /** A glance does for no longer than until then. */
  lookBy(key: string, at: Instant): void {
    const clean = this.#keys.get(key)?.clean
    if (clean !== undefined && clean !== null) clean.full_look_due = Math.min(clean.full_look_due, at)
  }

  /**
   * A release came: what was clean before says nothing now. Nobody is woken here, because the caller works through the
   * keys in their safe order; if it dies half-way, each key's own tick finishes the rest.
   */
  released(): void {
    this.#generation++
  }

  /**
   * Works on the key on behalf of a caller and resolves with the report of a pass that began after this call. Null for a key
   * that has left, and is not back by then: by a release that another caller has made meanwhile, nothing is left to do for it.
   */
  async ask(key: string, { progress, records }: Asking = { records: 'all' }): Promise<Answered | null> {
    if (this.#stopping) throw new Failure('shutting_down', 'The daemon is shutting down.')
    const state = this.#keys.get(key)
    if (state === undefined) return null
    const now = this.#clock.now()
    return new Promise((resolve, reject) => {
      state.asked.push({ resolve, reject, progress, records })
      this.#queue.add(key, PRIORITY.asked, now)
      this.#drain()
    })
  }

  /** Callers alone have these keys worked on until the answer is called, or who has waited for long. */
  hold(keys: readonly string[]): () => void {
    for (const key of keys) this.#queue.hold(key)
    return () => {
      for (const key of keys) this.#queue.letGo(key)
      this.#drain()
    }
  }

  report(key: string): Report | null {
    return this.#keys.get(key)?.report ?? null
  }

  /** When the world was last looked or glanced at, by this process; null before the first time. */
  seenAt(key: string): Instant | null {
    return this.#keys.get(key)?.seen_at ?? null
  }

  /** When the key is looked at next at the latest; null while it is being worked on, and before the start. */
  dueAt(key: string): Instant | null {
    return this.#queue.dueAt(key)
  }

  /** Calls `listener` after every pass. */
  onReport(listener: (report: Report) => void): void {
    this.#listeners.push(listener)
  }

  #settled(max_ms: Milliseconds): Promise<void> {
    return waitAtMost(Promise.allSettled(this.#running), max_ms)
  }

  #attend(state: KeyState): void {
    const { key } = state.target
    const now = this.#clock.now()
    const due = Math.min(this.#parts.memory.waitsUntil(key) ?? now, now + MAX_BAN_MS)
    state.watch = state.target.watch((what) => (what === 'glance' ? this.#heard(state) : this.hint(key)))
    this.#queue.add(key, PRIORITY.resynced, due)
  }

  #heard(state: KeyState): void {
    state.hints++
    if (state.is_running) state.heard = true
    else if (!hasSeenAll(state)) this.hint(state.target.key)
  }

  #leave(key: string, state: KeyState): void {
    state.watch?.close()
    this.#queue.drop(key)
    if (!state.is_running) for (const waiter of state.asked.splice(0)) waiter.resolve(null)
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    const due = this.#queue.nextDue()
    if (due === null || this.#stopping) return
    const wait = Math.min(Math.max(due - this.#clock.now(), 0), MAX_SLEEP_MS)
    this.#timer = setTimeout(() => this.#drain(), wait)
  }

  #drain(): void {
    for (;;) {
      const now = this.#clock.now()
      const taken = this.#stopping ? null : this.#queue.take(now)
      if (taken === null) break
      this.#begin(this.#keys.get(taken.key)!, taken, now)
    }
    this.#arm()
  }

  #begin(state: KeyState, { waited_ms }: Taken, now: Instant): void {
    const { target } = state
    if (state.asked.length === 0 && nothingNew(state, this.#generation, now)) {
      state.seen_at = now
      this.#queue.done(target.key)
      this.#queue.add(target.key, PRIORITY.resynced, now + target.every_ms)
      return
    }
    this.#parts.metrics.observe('plumbline_queue_wait_seconds', waited_ms / 1000)
    const run = this.#run(state).finally(() => {
      this.#running.delete(run)
      this.#drain()
    })
    this.#running.add(run)
  }

  async #run(state: KeyState): Promise<void> {
    const { target } = state
    state.is_running = true
    state.failed_at_glance = null
    const waiters = state.asked.splice(0)
    const before = state.report
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(target.deadline_ms)])
    // Taken before the look: a change that comes during it must not be taken for clean.
    const seen = { glance: target.glance(), generation: this.#generation, hints: state.hints }
    const progress = toAll(waiters)
    const work = pass(target, this.#parts, { asked_for: askedFor(waiters), signal, progress })
    try {
      const report = await passWithin(work, target, signal)
      this.#keep(state, report, seen)
      for (const waiter of waiters) waiter.resolve({ report, before })
    } catch (error) {
      this.#parts.log.error('pass broke off', { target: target.key, error })
      for (const waiter of waiters) waiter.reject(error)
      // One worker per key, also when the worker overstays: nobody else begins until it is gone.
      await work.catch(() => undefined)
      this.#comeBack(state, PRIORITY.retried, this.#clock.now() + target.backoff.max_ms)
    }
  }

  #keep(state: KeyState, report: Report, seen: Seen): void {
    noteEnd(state, report, { seen, now: this.#clock.now() })
    if (report.failure !== null) state.failed_at_glance = this.#parts.looks.glanceOf(report.key)
    this.#comeBack(
      state,
      report.failure === null ? PRIORITY.resynced : PRIORITY.retried,
      report.next_attempt_at,
    )
    for (const listener of this.#listeners) listener(report)
  }

  #comeBack(state: KeyState, priority: Priority, at: Instant): void {
    const now = this.#clock.now()
    const { key } = state.target
    state.is_running = false
    this.#queue.done(key)
    if (state.heard && !hasSeenAll(state)) this.hint(key)
    state.heard = false
    const present = this.#keys.get(key)
    if (present === state) this.#queue.add(key, priority, at)
    else if (present === undefined) this.#leave(key, state)
    else if (handOver(state, present)) this.#queue.add(key, PRIORITY.asked, now)
    this.#measure(now)
  }

  #measure(now: Instant): void {
    const { due, oldest_ms } = this.#queue.depth(now)
    this.#parts.metrics.gauge('plumbline_queue_depth', due)
    this.#parts.metrics.gauge('plumbline_queue_oldest_seconds', oldest_ms / 1000)
  }
}
