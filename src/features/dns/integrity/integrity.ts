/**
 * Compares provider, authoritative servers and resolvers for every name that we keep: all of them every ten minutes, those
 * on their way every few seconds. Its last result is kept in memory; after a restart the first check is due at once, and
 * the age of what is on its way counts anew.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import { mapLimit } from '../../../kernel/async/map-limit.ts'
import { rrsetKey } from '../../../model/network/dns.ts'
import { within } from './bounded.ts'
import type { IntegrityResult } from './integrity-result.ts'
import { type ManagedSet, sameWish } from '../records/managed-set.ts'
import { type Propagation, PropagationCheck, type PropagationParts } from './propagation.ts'
import { CHECK_EVERY_MS, isOnItsWay, nextDelay } from './schedule.ts'

export interface IntegrityParts extends PropagationParts {
  readonly clock: Clock
  readonly log: Log
  /** The sets that stand at the provider and are ours. Throws when that cannot be told. */
  readonly managed: () => Promise<readonly ManagedSet[]>
  /** The servers began to show something else than stands at the provider by what we know of it. */
  readonly disagrees: (zone: string) => void
}

const MAX_AT_ONCE = 16
const MAX_ROUND_MS: Milliseconds = 60_000
/** Whoever asks anew sooner than that is told what was found. */
const FRESH_MS: Milliseconds = 30_000
/** After a round, whatever the hints say. */
const MIN_PAUSE_MS: Milliseconds = 2000

export class IntegrityCheck {
  readonly #parts: IntegrityParts
  readonly #check: PropagationCheck
  #result: IntegrityResult | null = null
  readonly #loop: Loop
  #full_due_ms: Milliseconds = 0
  /** One check at a time: a later one tells more than an earlier one that ends after it. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(parts: IntegrityParts) {
    this.#parts = parts
    this.#check = new PropagationCheck(parts)
    const { clock, log } = parts
    this.#loop = new Loop({
      clock,
      // A hint ends the longer wait, never the least pause.
      least_ms: MIN_PAUSE_MS,
      round: (signal) => this.#checkDue(signal),
      failed: (error) => {
        log.warn('DNS not checked', { error })
        return this.#pause()
      },
    })
  }

  /** Null before the first check ended. */
  get last(): IntegrityResult | null {
    return this.#result
  }

  start(): void {
    this.#full_due_ms = this.#parts.clock.elapsed()
    this.#loop.start()
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#turn
  }

  /** Something was written at a provider: everything is checked soon instead of by the calendar. */
  changed(): void {
    this.#full_due_ms = this.#parts.clock.elapsed()
    this.#loop.wake()
  }

  /** Somebody wants to know how it is now: checks everything, unless that was just done. Once started, it does not stop for a caller. */
  async recheck(): Promise<void> {
    const { signal } = this.#loop
    if (signal === null) return
    await this.#inTurn(async () => {
      const age_ms = this.#parts.clock.now() - (this.#result?.checked_at ?? -Infinity)
      if (age_ms < 0 || age_ms >= FRESH_MS) await this.#checkAll(signal)
    })
  }

  /** Checks everything now. */
  checkAll(signal: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#checkAll(signal))
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  async #checkAll(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    const began_ms = clock.elapsed()
    this.#full_due_ms = began_ms + CHECK_EVERY_MS
    const round = await this.#round(() => true, signal)
    const took_ms = Math.round(clock.elapsed() - began_ms)
    this.#result = { ...round, checked_at: clock.now(), took_ms }
  }

  /** Checks those that are on their way. */
  async #checkMoving(signal: AbortSignal): Promise<void> {
    const last = this.#result
    if (last === null) return
    const now = this.#parts.clock.now()
    const moving = new Set(
      last.names.filter((found) => isOnItsWay(found, now)).map(({ set }) => rrsetKey(set)),
    )
    const { names, failure } = await this.#round((set) => moving.has(rrsetKey(set)), signal)
    if (failure === null) this.#result = { ...last, names }
  }

  /** Those that are not asked about stay as they were found, unless they are kept no more. */
  async #round(
    isAsked: (set: ManagedSet) => boolean,
    signal: AbortSignal,
  ): Promise<Pick<IntegrityResult, 'names' | 'failure'>> {
    const { clock } = this.#parts
    const before = new Map(this.#result?.names.map((found) => [rrsetKey(found.set), found]))
    const foundBefore = (set: ManagedSet) => before.get(rrsetKey(set)) ?? null
    const sets = await this.#managed()
    if (typeof sets === 'string') return { names: [...before.values()], failure: sets }
    const found = new Map<string, Propagation>()
    const disputed = new Set<string>()
    await within({ clock, ms: MAX_ROUND_MS, signal }, async (inTime) => {
      // Those that a round did not reach come first in the next.
      const asked = sets.filter(isAsked).sort((a, b) => checkedAt(foundBefore(a)) - checkedAt(foundBefore(b)))
      await mapLimit(asked, { at_once: MAX_AT_ONCE }, async (set) => {
        if (inTime.aborted) return
        const now = await this.#check.check(set, foundBefore(set), inTime)
        found.set(rrsetKey(set), now)
        if (isNews(now, foundBefore(set))) disputed.add(set.zone)
      })
    })
    for (const zone of disputed) this.#parts.disagrees(zone)
    return {
      names: sets.map((set) => found.get(rrsetKey(set)) ?? kept(set, foundBefore(set))),
      failure: null,
    }
  }

  async #managed(): Promise<readonly ManagedSet[] | string> {
    try {
      const sets = await this.#parts.managed()
      return sets.toSorted((a, b) => (rrsetKey(a) < rrsetKey(b) ? -1 : 1))
    } catch (error) {
      this.#parts.log.warn('managed records not known, DNS not checked', { error })
      return `What stands at the provider is not known: ${(error as Error).message}`
    }
  }

  async #checkDue(signal: AbortSignal): Promise<Milliseconds> {
    const is_full = this.#parts.clock.elapsed() >= this.#full_due_ms
    await (is_full ? this.checkAll(signal) : this.#inTurn(() => this.#checkMoving(signal)))
    return this.#pause()
  }

  /** What is left after the least pause. Both count from the end of the check. */
  #pause(): Milliseconds {
    const { clock } = this.#parts
    const full_ms = this.#full_due_ms - clock.elapsed()
    const then = clock.now() + MIN_PAUSE_MS
    return Math.max(0, nextDelay(this.#result?.names ?? [], then, full_ms) - MIN_PAUSE_MS)
  }
}

/** Once when a set is first seen to differ, and once more when its time is over. */
const isNews = ({ state }: Propagation, before: Propagation | null): boolean =>
  (state === 'propagating' || state === 'slow') && before?.state !== state

const checkedAt = (found: Propagation | null): number => found?.checked_at ?? 0

/** What was found before, or that nothing was. */
function kept(set: ManagedSet, before: Propagation | null): Propagation {
  if (before !== null && sameWish(before.set, set)) return { ...before, set }
  const nothing = { since: null, servers: [], resolvers: [], checked_at: before?.checked_at ?? null }
  return { set, state: 'unknown', detail: 'not reached by the check in its time', ...nothing }
}
