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
import type { GuardRule } from '../../model/plan.ts'
import { isGood, type Report } from '../../model/report.ts'
import type { Store } from '../../ports/store.ts'
import { changesBetween, conditionsAfter } from './conditions.ts'
import { type CallerLook, isNews, noPassYet } from './caller-look.ts'
import type { Editions } from '../editions/editions.ts'
import { concerns } from '../components.ts'
import { foundBy, foundOf } from './found-differences.ts'
import type { FoundDifferences } from './kept-keys.ts'
import { knownDomains } from '../editions/known-domains.ts'
import type { LookOrder, LookTurn } from '../look-order.ts'
import type { Memory } from '../memory.ts'
import type { Chapter } from './present-conditions.ts'
import { isSameReading, type Reading } from '../editions/reading.ts'
import { type Standing, standingOf } from './standing.ts'
import { type Fight, fightAmong, siegeOf } from '../pass/fight.ts'
import type { AnyTarget } from '../target.ts'

export interface BookParts {
  readonly store: Store
  readonly editions: Editions
  readonly memory: Memory
  readonly looks: LookOrder
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** When the key was last looked or glanced at. */
  readonly seenAt: (key: string) => Instant | null
  /** Has a pass made by then, also where the world shows no change: what was true until then is to be judged anew. */
  readonly lookBy: (key: string, at: Instant) => void
}

interface Page {
  readonly target: AnyTarget
  rows: readonly Condition[]
  /** As the store has them. */
  stored: readonly Condition[]
  /** What the last report was read from: the same again says nothing new. */
  read: Reading | null
  /** Null while unknown. */
  found: FoundDifferences | null
  /** The last report, and the guard that it was refused by. */
  report: Report | null
  rule: GuardRule | null
  /** At the last report the world was right, and somebody kept putting a laxer state there. */
  besieged: boolean
  /** Of the newest look that the page tells of. */
  turn: LookTurn
  /** That look, where it was no pass's. */
  look: CallerLook | null
}

export class ConditionBook {
  readonly #parts: BookParts
  #pages: ReadonlyMap<string, Page> = new Map()
  /** By key: what an earlier process, or a key that has left, left in the store. */
  readonly #left = new Map<string, readonly Condition[]>()
  readonly #closing = new AbortController()
  /** By key; gone once nothing is under way. */
  readonly #work = new Map<string, Promise<void>>()
  #since: Instant

  constructor(parts: BookParts) {
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
    const before = this.#pages
    this.#pages = new Map(targets.map((target) => [target.key, before.get(target.key) ?? this.#open(target)]))
    for (const [key, { stored, target }] of before) {
      if (this.#pages.has(key)) continue
      this.#left.set(key, stored)
      this.#measure(target.name)
    }
    for (const key of this.#left.keys()) this.#inTurn(key, () => this.#forget(key))
  }

  #open(target: AnyTarget): Page {
    const rows = this.#left.get(target.key) ?? []
    this.#left.delete(target.key)
    const nothing = {
      read: null,
      found: null,
      report: null,
      rule: null,
      besieged: false,
      turn: 0,
      look: null,
    }
    return { target, rows, stored: rows, ...nothing }
  }

  async #forget(key: string): Promise<void> {
    const rows = this.#left.get(key)
    if (rows === undefined) return
    const ids = rows.map(({ domain_id }) => domain_id)
    if (ids.length > 0) await this.#parts.store.write((tx) => tx.dropConditions(key, ids))
    if (this.#left.get(key) === rows) this.#left.delete(key)
  }

  /** Takes a pass's report. Returns at once and never throws. */
  note(report: Report): void {
    const turn = this.#parts.looks.ofPass(report.key)
    const page = this.#pages.get(report.key)
    // At once: a look that began before this one must not be taken while the report waits for its turn.
    if (page !== undefined) page.turn = Math.max(page.turn, turn)
    this.#inTurn(report.key, () => this.#take(report, turn))
  }

  /**
   * Takes what a look outside of the passes has found. Nothing is written: the next pass does that. True where it was not
   * known before.
   */
  async see({ name, key }: Pick<AnyTarget, 'name' | 'key'>, look: CallerLook): Promise<boolean> {
    const page = this.#pages.get(key)
    if (page === undefined || this.#closing.signal.aborted) return false
    const { store } = this.#parts
    const working = await store.intent('working')
    const domains =
      look.deviates === true || page.rows.length > 1 ? await knownDomains(this.#parts.store) : new Map()
    const is_news = isNews(look, page)
    // What began earlier may be older. A difference is looked into all the same.
    if (look.turn < page.turn) return is_news && look.deviates === true
    const { rule, report } = page
    const { deviates: drift, unknown_because, differences } = look
    const besieged = page.besieged && drift === false
    const evidence = { report: report ?? noPassYet(name, key, look.at), domains, besieged, at: look.at }
    const standing = { drift, unknown_because, differences, rule }
    page.rows = conditionsAfter(page.rows, { ...evidence, standing })
    page.found = foundBy(look, working)
    page.turn = look.turn
    page.look = look
    page.read = null
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

  /** Resolves when every report so far is taken, or after `most_ms`. */
  async settled(most_ms: Milliseconds = Infinity): Promise<void> {
    const taken = Promise.all(this.#work.values())
    if (most_ms === Infinity || this.#work.size === 0) return void (await taken)
    await waitAtMost(taken, most_ms)
  }

  /** Gives up looks under way and waits for writes under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.settled()
  }

  /** In the order of the targets. */
  chapters(): readonly Chapter[] {
    return [...this.#pages.values()].map(({ target, rows, found, look }) => ({
      component: target.name,
      key: target.key,
      every_ms: target.every_ms,
      concerns: (row) => concerns(target, [row]),
      rows,
      found,
      look,
      seen_at: newest(this.#parts.seenAt(target.key), look?.at ?? null),
      since: this.#since,
    }))
  }

  async #take(report: Report, turn_of_pass: LookTurn): Promise<void> {
    const page = this.#pages.get(report.key)
    if (page === undefined || this.#closing.signal.aborted) return
    const siege = isGood(report) ? await this.#siegeOf(page.target) : null
    const besieged = siege !== null
    if (besieged) this.#parts.lookBy(report.key, siege.until)
    const reading = await this.#readingOf(page, report, besieged)
    if (reading !== null && isSameReading(reading, page.read)) return this.#save(page)
    const turn_after = this.#parts.looks.begin()
    const standing = await this.#lookAfter(page, report)
    const is_told = standing !== null || page.look !== null || page.rows.length > 1
    const domains = is_told ? await knownDomains(this.#parts.store) : new Map()
    const working = await this.#parts.store.intent('working')
    const at = this.#parts.clock.now()
    // Whoever suspends it may be at work in the world: what was seen before says nothing any more.
    if (report.outcome === 'suspended' && page.report?.outcome !== 'suspended') page.look = null
    if (report.failure?.code !== 'shutting_down') page.report = report
    if (standing !== null) page.rule = standing.guard?.rule ?? null
    else if (isGood(report)) page.rule = null
    const turn = standing === null ? turn_of_pass : turn_after
    // A caller may have looked since: then the pass only says what hinders the repair.
    const later = page.look !== null && page.look.turn > turn ? page.look : null
    const look = later === null ? standing : { ...later, drift: later.deviates }
    const evidence = look === null ? null : { ...look, rule: page.rule }
    page.rows = conditionsAfter(page.rows, { report, standing: evidence, domains, besieged, at })
    page.besieged = besieged
    page.found = later === null ? foundOf(report, standing, working) : foundBy(later, working)
    page.read = later === null ? reading : null
    page.look = later
    page.turn = Math.max(page.turn, turn)
    this.#measure(page.target.name)
    await this.#save(page)
  }

  /** Null where there is no telling whether the world moved. */
  async #readingOf({ target }: Page, report: Report, besieged: boolean): Promise<Reading | null> {
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
  async #lookAfter({ target }: Page, report: Report): Promise<Standing | null> {
    const known = report.outcome !== 'unknown' && report.outcome !== 'suspended'
    const differs = known && report.differences > report.repaired
    const waits = isGood(report) && (await this.#parts.editions.rowsMoved())
    return differs || waits
      ? standingOf(target, { ...this.#parts, afresh: false }, this.#closing.signal)
      : null
  }

  async #save(page: Page): Promise<void> {
    const rows = page.rows
    const { save, drop } = changesBetween(page.stored, rows)
    if (save.length + drop.length === 0) return
    await this.#parts.store.write(async (tx) => {
      if (save.length > 0) await tx.saveConditions(save)
      if (drop.length > 0) await tx.dropConditions(page.target.key, drop)
    })
    page.stored = rows
  }

  /** Several keys may make one component, so its figures are the sums of theirs. */
  #measure(component: string): void {
    const pages = [...this.#pages.values()].filter(({ target }) => target.name === component)
    const isKnown = pages.every(({ found }) => found !== null)
    for (const cause of DRIFT_CAUSES) {
      const labels = { component, cause }
      const count = pages.reduce((sum, page) => sum + (page.found?.causes.get(cause) ?? 0), 0)
      if (isKnown) this.#parts.metrics.gauge('plumbline_drift', count, labels)
      else this.#parts.metrics.forget('plumbline_drift', labels)
    }
  }
}

const newest = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)
