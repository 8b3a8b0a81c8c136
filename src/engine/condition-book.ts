/**
 * Keeps the conditions: after every pass it works out what holds now, writes what changed, and nothing when nothing did.
 *
 * Passes never wait for it and never fail by it. Reports of a key are taken in their order, and no key waits for another:
 * a look that hangs holds up its own key alone. What the store would not take is still told, and written with the next
 * report.
 */
import type { Clock, Instant, Milliseconds } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Condition } from '../model/condition.ts'
import { DRIFT_CAUSES } from '../model/drift.ts'
import type { Intent } from '../model/intent.ts'
import { isGood, type Report } from '../model/report.ts'
import type { Store } from '../ports/store.ts'
import { changesBetween, conditionsAfter, type KnownDomain } from './conditions.ts'
import type { Editions } from './editions.ts'
import { concerns } from './components.ts'
import type { FoundDifferences } from './kept-keys.ts'
import type { Memory } from './memory.ts'
import type { Chapter } from './present-conditions.ts'
import { type Standing, standingOf } from './standing.ts'
import type { AnyTarget } from './target.ts'

export interface BookParts {
  readonly store: Store
  readonly editions: Editions
  readonly memory: Memory
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** When the key was last looked or glanced at. */
  readonly seenAt: (key: string) => Instant | null
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
}

interface Reading {
  readonly glance: string
  readonly outcome: string
  readonly release: number
  readonly message: string
  readonly working: unknown
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
    return { target, rows, stored: rows, read: null, found: null }
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
    this.#inTurn(report.key, () => this.#take(report))
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

  /** Resolves when every report so far is taken, or after `most_ms`. */
  async settled(most_ms: Milliseconds = Infinity): Promise<void> {
    const taken = Promise.all(this.#work.values())
    if (most_ms === Infinity || this.#work.size === 0) return void (await taken)
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, most_ms)
    await Promise.race([taken, late.promise])
    clearTimeout(timer)
  }

  /** Gives up looks under way and waits for writes under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.settled()
  }

  /** In the order of the targets. */
  chapters(): readonly Chapter[] {
    return [...this.#pages.values()].map(({ target, rows, found }) => ({
      component: target.name,
      key: target.key,
      every_ms: target.every_ms,
      concerns: (row) => concerns(target, [row]),
      rows,
      found,
      seen_at: this.#parts.seenAt(target.key),
      since: this.#since,
    }))
  }

  async #take(report: Report): Promise<void> {
    const page = this.#pages.get(report.key)
    if (page === undefined || this.#closing.signal.aborted) return
    const reading = await this.#readingOf(page, report)
    if (reading !== null && isSameReading(reading, page.read)) return this.#save(page)
    const standing = await this.#lookAfter(page, report)
    const rule = standing?.guard?.rule ?? null
    const domains = standing === null && page.rows.length <= 1 ? new Map() : await this.#domains()
    const at = this.#parts.clock.now()
    const look = standing === null ? null : { ...standing, rule }
    page.rows = conditionsAfter(page.rows, { report, standing: look, domains, at })
    page.found = foundOf(report, standing, await this.#parts.store.intent('working'))
    page.read = reading
    this.#measure(page.target.name)
    await this.#save(page)
  }

  /** Null where there is no telling whether the world moved. */
  async #readingOf({ target }: Page, report: Report): Promise<Reading | null> {
    const glance = target.glance()
    if (glance === null) return null
    const { outcome, release, failure } = report
    return {
      glance,
      outcome,
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
    return differs || waits ? standingOf(target, this.#parts, this.#closing.signal) : null
  }

  async #domains(): Promise<ReadonlyMap<string, KnownDomain>> {
    const { store } = this.#parts
    const known = new Map<string, KnownDomain>()
    for (const { domain_id, fields } of (await store.intent('working')).rows)
      known.set(fields.domain, { domain_id, released_revision: null })
    // A name belongs to whom it is released for, whoever wants it next.
    const revisions = new Map<number, number>()
    for (const { domain_id, fields, revision, retired } of (await store.intent('released')).rows) {
      if (retired) continue
      known.set(fields.domain, { domain_id, released_revision: revision })
      revisions.set(domain_id, revision)
    }
    for (const [name, { domain_id }] of known)
      known.set(name, { domain_id, released_revision: revisions.get(domain_id) ?? null })
    return known
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

function foundOf(report: Report, standing: Standing | null, working: Intent): FoundDifferences | null {
  if (standing === null) return isGood(report) ? { causes: new Map(), differences: [], working } : null
  if (standing.drift === null) return null
  const groups = Map.groupBy(standing.differences, ({ cause }) => cause)
  const causes = new Map([...groups].map(([cause, differences]) => [cause, differences.length]))
  return { causes, differences: standing.differences.slice(0, MOST_SHOWN), working }
}

/** Of the differences that are kept for people; all of them are counted. */
const MOST_SHOWN = 20

const isSameReading = (a: Reading, b: Reading | null): boolean =>
  b !== null &&
  a.glance === b.glance &&
  a.outcome === b.outcome &&
  a.release === b.release &&
  a.message === b.message &&
  a.working === b.working
