/** The engine as the rest of the house sees it: release, converge, look, plan, start, stop. */
import type { Instant, Milliseconds } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Intent } from '../model/intent.ts'
import type { Mode } from '../model/mode.ts'
import type { GuardHit, Plan } from '../model/plan.ts'
import type { Report } from '../model/report.ts'
import type {
  ModeSetting,
  ReleaseDraft,
  ReleaseHead,
  ReleaseRow,
  Store,
  StoreWriter,
} from '../ports/store.ts'
import { Components, concerns, type Source } from './components.ts'
import { Awaiting, type AwaitingRelease } from './awaiting.ts'
import { ConditionBook } from './condition-book.ts'
import { Controller } from './controller.ts'
import { Editions } from './editions.ts'
import { FIRST_RELEASE } from './first-release.ts'
import { recover } from './journal.ts'
import { type KeptKey, keptKeys } from './kept-keys.ts'
import { judged, type Judged, type Look, lookAt } from './look.ts'
import { Memory } from './memory.ts'
import type { PassParts } from './pass-parts.ts'
import { makePlan, type PlanRequest } from './plan.ts'
import { releaseEvent } from './release-event.ts'
import type { Chapter } from './present-conditions.ts'
import { type Protection, releaseGuards } from './release-guards.ts'
import { type Standing, standingOf } from './standing.ts'
import type { AnyTarget } from './target.ts'

export type EngineParts = Omit<PassParts, 'editions' | 'memory'> & {
  /** In the order in which a deploy works on them: the lock is fitted before the door opens. */
  readonly targets: readonly Source[]
  readonly mode: Mode
  readonly protection: Protection
}

/** Opening works in the order of the targets, closing in the reverse. */
export type Direction = 'open' | 'close'

export interface ConvergeScope {
  /** Only this component. */
  readonly component?: string
  /** Only what has to do with these records; everything when there are none. */
  readonly domain_ids?: readonly number[]
  /** Also what no release concerns. */
  readonly everything?: boolean
}

export type ReleaseRequest = Omit<ReleaseDraft, 'artifacts' | 'created_at'>

export class Engine {
  readonly #parts: EngineParts
  readonly #store: Store
  readonly #components: Components
  readonly #editions: Editions
  readonly #memory: Memory
  readonly #controller: Controller
  readonly #book: ConditionBook
  readonly #awaiting: Awaiting
  readonly #released: (() => void)[] = []
  /** What an earlier process knew must be read before the first keys are opened. */
  #prepared = false

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#store = parts.store
    this.#components = new Components(parts.targets)
    this.#editions = new Editions(parts.store)
    this.#memory = new Memory(parts.store, parts.clock, parts.mode)
    this.#controller = new Controller({
      ...parts,
      editions: this.#editions,
      memory: this.#memory,
    })
    this.#book = new ConditionBook({
      ...parts,
      editions: this.#editions,
      memory: this.#memory,
      seenAt: (key) => this.#controller.seenAt(key),
    })
    this.#awaiting = new Awaiting({ ...parts, editions: this.#editions, components: this.#components })
    this.#controller.onReport((report) => this.#book.note(report))
  }

  /** Loads what it remembers, makes the first release of a new installation, closes what a crash left open. */
  async prepare(): Promise<void> {
    await this.#memory.load()
    await this.#book.load()
    if ((await this.#store.latestRelease()) === null)
      await this.#store.write((tx) => this.release(tx, FIRST_RELEASE))
    this.#prepared = true
    await this.retarget()
    await recover(this.#controller.targets(), {
      ...this.#parts,
      editions: this.#editions,
      memory: this.#memory,
    })
  }

  /** Begins to watch, to tick and to heal. */
  start(): void {
    this.#controller.start()
  }

  /** What there is to be looked at may have changed: after a release, or when the world has new places. */
  async retarget(): Promise<void> {
    if (!this.#prepared) return
    const targets = this.#components.targetsFor(await this.#store.intent('released'))
    this.#controller.retarget(targets)
    this.#book.retarget(targets)
    this.#awaiting.forget()
  }

  async stop(patience_ms: Milliseconds): Promise<void> {
    await this.#controller.stop(patience_ms)
    await this.#book.close()
  }

  /**
   * Adds the release of these rows within the caller's transaction. Null when nothing would change: neither a row nor
   * what any target should be. Call `woken` once the transaction is durable.
   */
  async release(tx: StoreWriter, request: ReleaseRequest): Promise<ReleaseHead | null> {
    const prospect = await this.#editions.prospect(tx, this.#components.blueprints, request.rows)
    const newest = await tx.latestRelease()
    const same = Object.entries(prospect.artifacts).every(
      ([key, { digest }]) => newest?.digests[key] === digest,
    )
    if (same && prospect.rows.length === 0 && newest !== null) return null
    const head = await tx.addRelease({
      ...request,
      rows: prospect.rows,
      created_at: this.#parts.clock.now(),
      artifacts: prospect.artifacts,
    })
    this.#editions.adopt(prospect)
    await tx.addEvent(releaseEvent(head, prospect.rows))
    return head
  }

  /** A release is durable: what was clean before it is to be looked at again. */
  woken(): void {
    this.#parts.metrics.count('plumbline_releases_total')
    this.#controller.released()
    this.retarget().catch((error: unknown) => this.#parts.log.error('keys not refreshed', { error }))
    for (const listener of this.#released) listener()
  }

  /** Whether a release became durable is not known, because the store failed: what was clean is to be looked at again. */
  unsure(): void {
    this.#controller.released()
  }

  /**
   * Brings the world to the newest release, component by component, and says how that went. Keys that have nothing to do
   * with the records that it is for come at their own time.
   */
  async converge(direction: Direction, scope: ConvergeScope = {}): Promise<readonly Report[]> {
    await this.retarget()
    const keys = await this.#keysFor(scope.domain_ids ?? [])
    const names = this.#components.names()
    const asked = scope.component !== undefined || scope.everything === true
    const reports: Report[] = []
    for (const name of direction === 'open' ? names : names.toReversed()) {
      if (scope.component !== undefined && scope.component !== name) continue
      const group = keys.filter((target) => target.name === name && (asked || target.constant !== true))
      reports.push(...(await Promise.all(group.map(({ key }) => this.#controller.ask(key)))))
    }
    return reports
  }

  /** The last reports of the keys that have to do with a record; null for one that has made none yet. */
  async reportsFor(domain_id: number): Promise<readonly (Report | null)[]> {
    const keys = await this.#keysFor([domain_id])
    return keys.map(({ key }) => this.#controller.report(key))
  }

  /** All of them for no record. */
  async #keysFor(domain_ids: readonly number[]): Promise<readonly AnyTarget[]> {
    const targets = this.#controller.targets()
    if (domain_ids.length === 0) return targets
    const ids = new Set(domain_ids)
    const editions = [await this.#store.intent('working'), await this.#store.intent('released')]
    const rows = editions.flatMap((intent) => intent.rows.filter((row) => ids.has(row.domain_id)))
    return targets.filter((target) => concerns(target, rows))
  }

  /** One fresh look at a component, compared with both editions. */
  async look(component: string, signal: AbortSignal): Promise<Look> {
    const target = this.#controller.targets().find((candidate) => candidate.name === component)
    if (target === undefined) throw new Failure('not_found', `There is no component "${component}".`)
    return lookAt(target, { editions: this.#editions, clock: this.#parts.clock }, signal)
  }

  /**
   * One fresh look at everything that either edition has to do with, in the order of work. Within `most_ms` each, also
   * where a target heeds no signal; left out: its own deadline.
   */
  async looks(signal: AbortSignal, most_ms?: Milliseconds): Promise<readonly Look[]> {
    const editions = [await this.#store.intent('released'), await this.#store.intent('working')]
    const parts = { editions: this.#editions, clock: this.#parts.clock, ...(most_ms && { most_ms }) }
    const targets = this.#components.targetsFor(...editions)
    return Promise.all(targets.map((target) => lookAt(target, parts, signal)))
  }

  /** What a state of a key says, which somebody else has observed. Null for a key that neither edition has. */
  async judge(key: string, state: unknown): Promise<Judged | null> {
    const editions = [await this.#store.intent('released'), await this.#store.intent('working')]
    const target = this.#components.targetsFor(...editions).find((candidate) => candidate.key === key)
    return target === undefined ? null : judged(target, this.#editions, state)
  }

  /** How what has to do with these records stands right now, in the order of work: fresh looks, nothing is written. */
  async standings(domain_ids: readonly number[], signal: AbortSignal): Promise<readonly Standing[]> {
    const parts = { ...this.#parts, editions: this.#editions, memory: this.#memory }
    return Promise.all((await this.#keysFor(domain_ids)).map((target) => standingOf(target, parts, signal)))
  }

  /** What is known of every key, with the reports so far that took no longer than a second to be understood. */
  async chapters(): Promise<readonly Chapter[]> {
    await this.#book.settled(1000)
    return this.#book.chapters()
  }

  /** What waits for a deploy, by key. Reads the editions and nothing else. */
  awaitingRelease(): Promise<AwaitingRelease> {
    return this.#awaiting.read()
  }

  /** How every key stands by what is known already. @param awaiting null where the editions could not be read */
  keptKeys(awaiting: AwaitingRelease | null): readonly KeptKey[] {
    const chapters = this.#book.chapters()
    const dueAt = (key: string) => this.#controller.dueAt(key)
    const modeOf = (component: string) => this.#memory.modeOf(component)
    return keptKeys({ chapters, awaiting, dueAt, modeOf }, this.#parts.clock.now())
  }

  /** When the key is looked at next at the latest; null while it is being worked on, or when nobody ticks. */
  dueAt(key: string): Instant | null {
    return this.#controller.dueAt(key)
  }

  plan(request: PlanRequest, signal: AbortSignal): Promise<Plan> {
    const { protection, clock } = this.#parts
    return makePlan(
      this.#components,
      { store: this.#store, editions: this.#editions, protection, clock },
      request,
      signal,
    )
  }

  /** What stands in the way of moving these rows, as far as it can be told without looking at the world. */
  releaseGuards(released: Intent, rows: readonly ReleaseRow[]): readonly GuardHit[] {
    return releaseGuards({ released, rows, protection: this.#parts.protection, complete: true })
  }

  /** Rows whose saved state is not the deployed one. */
  readonly pendingRows = (): Promise<readonly ReleaseRow[]> => this.#editions.pendingRows()

  /** The components in the order in which a deploy works on them. */
  applyOrder(): readonly string[] {
    return this.#components.names()
  }

  /** What is kept true, in the order of work. */
  keys(): readonly string[] {
    return this.#controller.targets().map(({ key }) => key)
  }

  /** Of the keys that were worked on since the start. */
  lastReports(): readonly Report[] {
    return this.#controller.targets().flatMap(({ key }) => this.#controller.report(key) ?? [])
  }

  onReport(listener: (report: Report) => void): void {
    this.#controller.onReport(listener)
  }

  /** Calls `listener` after every durable release. */
  onRelease(listener: () => void): void {
    this.#released.push(listener)
  }

  /** The setting that is in force for a component. */
  modeOf(component: string): ModeSetting {
    return this.#memory.modeOf(component)
  }

  /** A mode was saved and is durable: it is in force from now on, and what it concerns is looked at soon. */
  adoptMode(setting: ModeSetting): void {
    this.#memory.adoptMode(setting)
    for (const { name, key } of this.#controller.targets())
      if (setting.scope === '*' || setting.scope === name) this.#controller.hint(key)
  }
}
