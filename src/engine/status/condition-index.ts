/**
 * Keeps the conditions: after every pass it works out what holds now, writes what changed, and nothing when nothing did.
 *
 * Passes never wait for it and never fail by it. Reports of a key are taken in their order, and no key waits for another:
 * a look that hangs holds up its own key alone. What the store would not take is still told, and written with the next
 * report.
 */
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { waitAtMost } from '../../kernel/async/wait-at-most.ts'
import type { Condition } from '../../model/condition.ts'
import { DRIFT_CAUSES } from '../../model/drift.ts'
import { isGood, type Report } from '../../model/report.ts'
import type { Store } from '../../ports/store.ts'
import { changesBetween, conditionsAfter } from './conditions.ts'
import { type CallerObservation, isNews, keptDifferences } from './caller-observation.ts'
import { type Entry, foundBy, isSameReading, newEntry, noPassYet, type Reading } from './condition-entry.ts'
import type { Editions } from '../editions/editions.ts'
import { knownDomains } from '../editions/known-domains.ts'
import type { ObservationOrder, ObservationTurn } from '../observation.ts'
import type { Memory } from '../memory.ts'
import type { KeyConditions } from './key-conditions.ts'
import { type ObservedKey, observeKey } from './observed-key.ts'
import { type Fight, fightAmong, siegeOf } from '../pass/fight.ts'
import type { RefusedItems } from '../pass/refused-items.ts'
import type { AnyTarget } from '../target.ts'

export interface ConditionIndexParts {
  readonly store: Store
  readonly editions: Editions
  readonly memory: Memory
  readonly refused_items: RefusedItems
  readonly looks: ObservationOrder
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** When the key was last looked or glanced at. */
  readonly seenAt: (key: string) => Instant | null
  /** Has a pass made by then, also where the world shows no change: what was true until then is to be judged anew. */
  readonly lookBy: (key: string, at: Instant) => void
}

export class ConditionIndex {
  readonly #parts: ConditionIndexParts
  #entries: ReadonlyMap<string, Entry> = new Map()
  /** By key: what an earlier process, or a key that has left, left in the store. */
  readonly #left = new Map<string, readonly Condition[]>()
  readonly #closing = new AbortController()
  /** By key; gone once nothing is under way. */
  readonly #work = new Map<string, Promise<void>>()
  #since: Instant

  constructor(parts: ConditionIndexParts) {
    this.#parts = parts
    this.#since = parts.clock.now()
  }

  /** What an earlier process knew. */
  async load(): Promise<void> {
    const stored = Map.groupBy(await this.#parts.store.conditions(), ({ component }) => component)
    for (const [key, rows] of stored) this.#left.set(key, rows)
    this.#since = this.#parts.clock.now()
  }

  /** From now on these are the keys, in this order. What is known of one that has left is forgotten. */
  retarget(targets: readonly AnyTarget[]): void {
    const before = this.#entries
    this.#entries = new Map(
      targets.map((target) => [target.key, before.get(target.key) ?? this.#open(target)]),
    )
    for (const [key, { stored, target }] of before) {
      if (this.#entries.has(key)) continue
      this.#left.set(key, stored)
      this.#measure(target.name)
    }
    for (const key of this.#left.keys()) this.#inTurn(key, () => this.#forget(key))
  }

  #open(target: AnyTarget): Entry {
    const rows = this.#left.get(target.key) ?? []
    this.#left.delete(target.key)
    return newEntry(target, rows)
  }

  async #forget(key: string): Promise<void> {
    const rows = this.#left.get(key)
    if (rows === undefined) return
    const ids = rows.map(({ domain_id }) => domain_id)
    if (ids.length > 0) await this.#parts.store.write((tx) => tx.dropConditions(key, ids))
    this.#left.delete(key)
    // Where it has come back meanwhile, nothing of it is stored any more.
    const back = this.#entries.get(key)
    if (back !== undefined) back.stored = []
  }

  /** Takes a pass's report. Returns at once and never throws. */
  note(report: Report): void {
    const turn = this.#parts.looks.ofPass(report.key)
    const entry = this.#entries.get(report.key)
    // At once: a look that began before this one must not be taken while the report waits for its turn.
    if (entry !== undefined) entry.turn = Math.max(entry.turn, turn)
    this.#inTurn(report.key, () => this.#take(report, turn))
  }

  /**
   * Takes what an observation outside of the passes has found. Nothing is written: the next pass does that. True where it
   * was not known before.
   */
  async see({ name, key }: Pick<AnyTarget, 'name' | 'key'>, caller: CallerObservation): Promise<boolean> {
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#closing.signal.aborted) return false
    const { store } = this.#parts
    const working = await store.intent('working')
    const domains =
      caller.deviates === true || entry.rows.length > 1 ? await knownDomains(this.#parts.store) : new Map()
    const is_news = isNews(caller, entry)
    // What began earlier may be older. A difference is looked into all the same.
    if (caller.turn < entry.turn) return is_news && caller.deviates === true
    const { rule, report } = entry
    const besieged = entry.besieged && caller.deviates === false
    const evidence = { report: report ?? noPassYet(name, key, caller.at), domains, besieged, at: caller.at }
    entry.rows = conditionsAfter(entry.rows, { ...evidence, observed: { ...caller, rule } })
    entry.found = caller.deviates === null ? null : keptDifferences(caller.differences, working)
    entry.turn = caller.turn
    entry.caller = caller
    entry.read = null
    this.#measure(name)
    return is_news
  }

  #inTurn(target: string, work: () => Promise<void>): void {
    const before = this.#work.get(target) ?? Promise.resolve()
    const turn = before
      .then(work)
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#parts.log.warn('conditions not kept', { target, error })
      })
      .then(() => {
        if (this.#work.get(target) === turn) this.#work.delete(target)
      })
    this.#work.set(target, turn)
  }

  /** Somebody keeps opening what is closed again each time: the world is right, and a person has to know. */
  async #siegeOf(target: AnyTarget): Promise<Fight | null> {
    if (target.opens === undefined) return null
    return fightAmong(await this.#parts.store.revertsSince(siegeOf(target.key), 0), this.#parts.clock.now())
  }

  /** Resolves when every report so far is taken, or after `max_ms`. */
  async settled(max_ms: Milliseconds = Infinity): Promise<void> {
    const taken = Promise.all(this.#work.values())
    if (max_ms === Infinity || this.#work.size === 0) return void (await taken)
    await waitAtMost(taken, max_ms)
  }

  /** Gives up looks under way and waits for writes under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.settled()
  }

  /** In the order of the targets. */
  all(): readonly KeyConditions[] {
    return [...this.#entries.values()].map((entry) => this.#shown(entry))
  }

  /** Null for a key that nobody works on. */
  of(key: string): KeyConditions | null {
    const entry = this.#entries.get(key)
    return entry === undefined ? null : this.#shown(entry)
  }

  #shown({ target, rows, found, caller, report }: Entry): KeyConditions {
    return {
      component: target.name,
      key: target.key,
      every_ms: target.every_ms,
      rows,
      found,
      caller,
      seen_at: newest(this.#parts.seenAt(target.key), caller?.at ?? null),
      passed_at: report?.observed_at ?? null,
      since: this.#since,
    }
  }

  async #take(report: Report, turn_of_pass: ObservationTurn): Promise<void> {
    const entry = this.#entries.get(report.key)
    if (entry === undefined || this.#closing.signal.aborted) return
    const siege = isGood(report) ? await this.#siegeOf(entry.target) : null
    const besieged = siege !== null
    if (besieged) this.#parts.lookBy(report.key, siege.until)
    const reading = await this.#readingOf(entry, report, besieged)
    if (reading !== null && isSameReading(reading, entry.read)) return this.#save(entry)
    const turn_after = this.#parts.looks.begin()
    const observed = await this.#observeAfter(entry, report)
    const is_reported = observed !== null || entry.caller !== null || entry.rows.length > 1
    const domains = is_reported ? await knownDomains(this.#parts.store) : new Map()
    const working = await this.#parts.store.intent('working')
    const at = this.#parts.clock.now()
    // Whoever suspends it may be at work in the world: what was seen before says nothing any more.
    if (report.outcome === 'suspended' && entry.report?.outcome !== 'suspended') entry.caller = null
    if (report.failure?.code !== 'shutting_down') entry.report = report
    if (observed !== null) entry.rule = observed.guard?.rule ?? null
    else if (isGood(report)) entry.rule = null
    const turn = observed === null ? turn_of_pass : turn_after
    // A caller may have looked since: then the pass only says what hinders the repair.
    const later = entry.caller !== null && entry.caller.turn > turn ? entry.caller : null
    const newest_one = later ?? observed
    const evidence = newest_one === null ? null : { ...newest_one, rule: entry.rule }
    entry.rows = conditionsAfter(entry.rows, { report, observed: evidence, domains, besieged, at })
    entry.besieged = besieged
    entry.found = foundBy(newest_one, report, working)
    entry.read = later === null ? reading : null
    entry.caller = later
    entry.turn = Math.max(entry.turn, turn)
    this.#measure(entry.target.name)
    await this.#save(entry)
  }

  /** Null where there is no telling whether the world moved. */
  async #readingOf({ target }: Entry, report: Report, besieged: boolean): Promise<Reading | null> {
    const glance = target.glance()
    if (glance === null) return null
    const { outcome, release, failure } = report
    return {
      glance,
      outcome,
      besieged,
      release,
      message: failure?.message ?? '',
      working: await this.#parts.store.intent('working'),
    }
  }

  /** Where the pass left differences, or where edits wait for their deploy. */
  async #observeAfter({ target }: Entry, report: Report): Promise<ObservedKey | null> {
    const known = report.outcome !== 'unknown' && report.outcome !== 'suspended'
    const differs = known && report.differences > report.repaired
    const waits = isGood(report) && (await this.#parts.editions.rowsMoved())
    return differs || waits
      ? observeKey(target, { ...this.#parts, afresh: false }, this.#closing.signal)
      : null
  }

  async #save(entry: Entry): Promise<void> {
    const rows = entry.rows
    const { save, drop } = changesBetween(entry.stored, rows)
    if (save.length + drop.length === 0) return
    await this.#parts.store.write(async (tx) => {
      if (save.length > 0) await tx.saveConditions(save)
      if (drop.length > 0) await tx.dropConditions(entry.target.key, drop)
    })
    entry.stored = rows
  }

  /** Several keys may make one component, so its figures are the sums of theirs. */
  #measure(component: string): void {
    const entries = [...this.#entries.values()].filter(({ target }) => target.name === component)
    const isKnown = entries.every(({ found }) => found !== null)
    for (const cause of DRIFT_CAUSES) {
      const labels = { component, cause }
      const count = entries.reduce((sum, entry) => sum + (entry.found?.causes.get(cause) ?? 0), 0)
      if (isKnown) this.#parts.metrics.gauge('plumbline_drift', count, labels)
      else this.#parts.metrics.forget('plumbline_drift', labels)
    }
  }
}

const newest = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)
