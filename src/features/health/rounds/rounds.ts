/**
 * Looks at everything that the engine does not keep, in rounds: all of them at once, each bounded, each at its own pace.
 * The page is answered from what the last looks have found; a probe has every part looked at after it was asked for.
 */
import type { Clock, Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import { FILES_EVERY_MS, type HealthCheck, isFinding, type LookedAt } from '../../../core/check.ts'
import type { InvariantWatch } from './invariant-watch.ts'
import { KeptLook } from './kept-look.ts'
import { type Looked, stateOf } from './watched-component.ts'

/** No part is looked at more often than this. */
const TICK_MS: Milliseconds = FILES_EVERY_MS
/** What was not well is looked at sooner, so that it is seen to recover. */
const AGAIN_WITHIN_MS: Milliseconds = 60_000

export interface RoundsParts {
  readonly clock: Clock
  readonly log: Log
  /** Asked for at the first use: a check may use what is built after the rounds. */
  readonly checks: () => readonly HealthCheck[]
  readonly invariants: InvariantWatch
}

interface ScheduledCheck {
  readonly check: HealthCheck
  readonly look: KeptLook<LookedAt>
  /** Taken before the last look. */
  glance: string | null
  state: string | null
  since: Instant | null
}

export class HealthRounds {
  readonly #parts: RoundsParts
  readonly #end = new AbortController()
  #schedule: readonly ScheduledCheck[] | null = null
  readonly #loop: Loop
  /** At a pace of its own, and longer than a round. */
  #minding: Promise<void> = Promise.resolve()
  readonly #probing = new Set<Promise<void>>()

  constructor(parts: RoundsParts) {
    const { clock, log } = parts
    this.#parts = parts
    this.#loop = new Loop({
      clock,
      round: (signal) => this.#tick(signal),
      failed: (error) => {
        log.error('a round of the health page broke', { error })
        return TICK_MS
      },
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Resolves when nothing is looked at any more, as far as looks heed their end. */
  async stop(): Promise<void> {
    const reason = new Error('The daemon is shutting down.')
    this.#end.abort(reason)
    await this.#loop.stop({ reason })
    await this.#minding
    await Promise.all(this.#probing)
    await this.#parts.invariants.settled()
  }

  /** In the order of the list. */
  watched(): readonly Looked[] {
    return this.#all().map(({ check, look, since }) => ({ check, last: look.last, since }))
  }

  /** One round, of looks that begin after this call. Ends within the time of one look, and never throws. */
  async probe(): Promise<void> {
    const { invariants } = this.#parts
    const probing = Promise.all([invariants.round(true, this.#end.signal), this.#round(true)])
      .then(() => undefined)
      .finally(() => this.#probing.delete(probing))
    this.#probing.add(probing)
    await probing
  }

  /** What needs nobody to be asked is told as it is known now. Never throws. */
  async refresh(): Promise<void> {
    const kept = this.#all().filter(({ check }) => check.reads_kept === true && check.configured)
    if (!this.#end.signal.aborted) await Promise.all(kept.map((scheduled) => this.#take(scheduled, false)))
  }

  /** What somebody else's look has found of a part. @param began_ms of that look, on the monotonic clock */
  note(name: string, found: LookedAt, began_ms: Milliseconds): void {
    const scheduled = this.#all().find(({ check }) => check.name === name)
    if (scheduled === undefined || !scheduled.check.configured || this.#end.signal.aborted) return
    scheduled.look.note(found, began_ms)
    turn(scheduled)
  }

  /** One look at a part now, because what it is made of was seen anew. Never throws. */
  async look(name: string): Promise<void> {
    const scheduled = this.#all().find(({ check }) => check.name === name)
    if (scheduled?.check.configured === true && !this.#end.signal.aborted) await this.#take(scheduled, false)
  }

  #all(): readonly ScheduledCheck[] {
    const { clock, log, checks } = this.#parts
    this.#schedule ??= checks().map((check) => ({
      check,
      look: new KeptLook({ name: check.name, clock, log, look: check.look, isAnswer: isFinding }),
      glance: null,
      state: null,
      since: null,
    }))
    return this.#schedule
  }

  async #tick(signal: AbortSignal): Promise<Milliseconds> {
    const minding = this.#parts.invariants.round(false, signal)
    this.#minding = Promise.all([this.#minding, minding]).then(() => undefined)
    await this.#round(false)
    return TICK_MS
  }

  async #round(afresh: boolean): Promise<void> {
    const now_ms = this.#parts.clock.elapsed()
    const due = this.#all().filter(
      (scheduled) => scheduled.check.configured && (afresh || isDue(scheduled, now_ms)),
    )
    await Promise.all(due.map((scheduled) => this.#take(scheduled, afresh)))
  }

  async #take(scheduled: ScheduledCheck, afresh: boolean): Promise<void> {
    scheduled.glance = scheduled.check.glance?.() ?? null
    await scheduled.look.take(afresh, this.#end.signal)
    if (!this.#end.signal.aborted) turn(scheduled)
  }
}

/** Since when a part is as it is. */
function turn(scheduled: ScheduledCheck): void {
  const { last } = scheduled.look
  const state = last === null ? null : stateOf(last)
  if (last === null || state === scheduled.state) return
  scheduled.state = state
  scheduled.since = last.at
}

/** A tick that comes a little early is not skipped for it. */
function isDue({ check, look, glance }: ScheduledCheck, now_ms: Milliseconds): boolean {
  if (look.began_ms === null) return true
  if (check.glance !== undefined && (glance === null || check.glance() !== glance)) return true
  const well = look.last?.known === true && look.last.value.ok
  const pace_ms = well ? check.every_ms : Math.min(check.every_ms, AGAIN_WITHIN_MS)
  return now_ms - look.began_ms >= pace_ms - TICK_MS / 2
}
