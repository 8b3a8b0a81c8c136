/** The engine as the rest of the daemon sees it: release, converge, look, plan, start, stop. */
import { othersTurn } from '../kernel/async/others-turn.ts'
import type { Instant, Milliseconds } from '../kernel/clock.ts'
import type { Intent } from '../model/intent.ts'
import type { GuardHit, Plan, RefusedRow } from '../model/plan.ts'
import type { Report } from '../model/report.ts'
import type { Whose } from '../model/whose.ts'
import type { ModeSetting, StoreWriter } from '../ports/store.ts'
import type { ReleaseHead, ReleaseRow } from '../ports/records/trails.ts'
import { Components, concerning } from './components.ts'
import { ConditionIndex } from './status/condition-index.ts'
import { Controller } from './controller.ts'
import { holdFor } from './hold.ts'
import { converge, type ConvergeScope, type Direction } from './converge.ts'
import { Editions } from './editions/editions.ts'
import type { EngineParts, ReleaseRequest } from './engine-parts.ts'
import { examineWorld } from './world/examine-world.ts'
import { recover } from './pass/journal.ts'
import { type Candidates, hindrancesOf } from './pass/hindrances.ts'
import type { Readable } from './status/decide.ts'
import type { KeyConditions } from './status/key-conditions.ts'
import type { KeyStatus, LiveStatus } from './status/key-status.ts'
import { ObservationOrder, type ObservationTurn } from './observation.ts'
import type { Comparison } from './status/observed-key.ts'
import type { NotApplied } from './status/not-applied.ts'
import { type Ignorable, Observer } from './status/observer.ts'
import { PendingKeys, type PendingRelease } from './status/pending.ts'
import { Memory } from './memory.ts'
import type { PlanRequest } from './plan.ts'
import { RefusedItems } from './pass/refused-items.ts'
import { FIRST_RELEASE, releaseEvent } from './release-records.ts'
import { releaseGuards } from './pass/release-guards.ts'
import type { AnyTarget } from './target.ts'
import type { WorldGuard } from './world/guard.ts'

export type { ConvergeScope, Direction, EngineParts, ReleaseRequest }

export class Engine {
  /** How far the world is, against the database. */
  readonly world: WorldGuard
  readonly #parts: EngineParts
  readonly #components: Components
  readonly #editions: Editions
  readonly #memory: Memory
  readonly #controller: Controller
  readonly #conditions: ConditionIndex
  readonly #looks = new ObservationOrder()
  readonly #observer: Observer
  readonly #pending: PendingKeys
  readonly #released: (() => void)[] = []
  /** What an earlier process knew must be read before the first keys are opened. */
  #prepared = false
  readonly #retargets = { begun: 0, done: 0 }

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.world = parts.world
    this.#components = new Components(parts.targets)
    this.#editions = new Editions(parts.store)
    this.#memory = new Memory(parts.store, parts.clock, parts.mode)
    const shared = {
      ...parts,
      editions: this.#editions,
      memory: this.#memory,
      looks: this.#looks,
      refused_items: new RefusedItems(),
    }
    this.#controller = new Controller(shared)
    this.#conditions = new ConditionIndex({
      ...shared,
      seenAt: (key) => this.#controller.seenAt(key),
      lookBy: (key, at) => this.#controller.lookBy(key, at),
    })
    this.#observer = new Observer({
      ...shared,
      components: this.#components,
      targets: () => this.#controller.targets(),
      conditions: this.#conditions,
      dueAt: (key) => this.#controller.dueAt(key),
      lookSoon: (key, could_read) => this.#controller.lookSoon(key, could_read),
    })
    this.#pending = new PendingKeys({ ...parts, editions: this.#editions, components: this.#components })
    this.#controller.onReport((report) => this.#conditions.note(report))
  }

  /** Loads what it remembers, makes the first release of a new installation, closes what a crash left open. */
  async prepare(): Promise<void> {
    await this.#memory.load()
    await this.#conditions.load()
    if ((await this.#parts.store.latestRelease()) === null)
      await this.#parts.store.write((tx) => this.release(tx, FIRST_RELEASE))
    this.#prepared = true
    await this.retarget()
    await examineWorld(this.#controller.targets(), this.#parts)
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
    const turn = ++this.#retargets.begun
    const released = await this.#parts.store.intent('released')
    await othersTurn(released.rows.length)
    // Who began later has read what is newer.
    if (turn < this.#retargets.done) return
    this.#retargets.done = turn
    const targets = this.#components.targetsFor(released)
    this.#controller.retarget(targets)
    this.#conditions.retarget(targets)
    this.#pending.forget()
  }

  async stop(grace_ms: Milliseconds): Promise<void> {
    await this.#controller.stop(grace_ms)
    await this.#conditions.close()
  }

  /**
   * Adds the release of these rows within the caller's transaction. Null when nothing would change: neither a row nor
   * what any target should be. Call `onReleased` once the transaction is durable.
   */
  async release(tx: StoreWriter, request: ReleaseRequest): Promise<ReleaseHead | null> {
    const { blueprints } = this.#components
    const prospect = await this.#editions.prospect(tx, blueprints, request.rows)
    const artifacts = await this.#editions.freeze(prospect, blueprints)
    const newest = await tx.latestRelease()
    const same = Object.entries(artifacts).every(([key, { digest }]) => newest?.digests[key] === digest)
    if (same && prospect.rows.length === 0 && newest !== null) return null
    const { rows } = prospect
    const created_at = this.#parts.clock.now()
    await this.#parts.carryOver(tx, rows, created_at)
    const head = await tx.addRelease({ ...request, rows, created_at, artifacts })
    this.#editions.adopt(prospect, artifacts)
    await tx.addEvent(releaseEvent(head, rows))
    return head
  }

  /** Throws what a release of these rows would throw while it is rendered. Nothing is kept of it. */
  readonly assertRenderable = (tx: StoreWriter, rows: readonly ReleaseRow[]): Promise<unknown> =>
    this.#editions.prospect(tx, this.#components.blueprints, rows)

  /** A release is durable: what was clean before it is to be looked at again. */
  onReleased(): void {
    this.#parts.metrics.count('plumbline_releases_total')
    this.#controller.released()
    this.retarget().catch((error: unknown) => this.#parts.log.error('keys not refreshed', { error }))
    for (const listener of this.#released) listener()
  }

  /** Whether a release became durable is not known, because the store failed: what was clean is to be looked at again. */
  suspectStore(): void {
    this.#controller.released()
  }

  /**
   * Brings the world to the newest release, component by component, and says how that went. Keys that have nothing to do
   * with the records that it is for come at their own time. Throws `restored_from_backup` while nothing is written outside.
   */
  async converge(
    direction: Direction,
    scope: ConvergeScope = { records: 'all' },
  ): Promise<readonly Report[]> {
    this.world.assertWhole()
    await this.retarget()
    const keysNow = () => this.#keysFor(scope.records, scope.keys)
    return converge({ controller: this.#controller, components: this.#components }, keysNow, direction, scope)
  }

  /** Until the answer is called callers alone have worked on what has to do with these records, or who has waited for long. */
  readonly hold = (records: Whose = 'all') =>
    holdFor(this.#controller, this.keys(), records === 'all' ? null : this.#keysFor(records))

  /** The last reports of the keys that have to do with a record; null for one that has made none yet. */
  async reportsFor(domain_id: number): Promise<readonly (Report | null)[]> {
    const keys = await this.#keysFor([domain_id])
    return keys.map(({ key }) => this.#controller.report(key))
  }

  async #keysFor(records: Whose, only?: readonly string[]): Promise<readonly AnyTarget[]> {
    if (only !== undefined) return this.#controller.targets().filter(({ key }) => only.includes(key))
    const { store } = this.#parts
    const isConcerned = concerning(records, await store.intent('working'), await store.intent('released'))
    return this.#controller.targets().filter(isConcerned)
  }

  /** How the first key of a component is now: observed for the answer, compared with both editions. */
  observeFirstKey(component: string, signal: AbortSignal): Promise<LiveStatus> {
    return this.#observer.firstKey(component, signal)
  }

  /** The same of everything that either edition has to do with, in the order of work. @param max_ms for each */
  readonly looks = (signal: AbortSignal, max_ms?: Milliseconds): Promise<readonly LiveStatus[]> =>
    this.#observer.all(signal, max_ms)

  /** The same of what is released and has to do with these records. */
  readonly looksFor = async (records: Whose, signal: AbortSignal): Promise<readonly LiveStatus[]> =>
    this.#observer.each(await this.#keysFor(records), signal)

  /** To be called before somebody else looks at a key of which `compare` is to tell. */
  beginObservation(): ObservationTurn {
    return this.#looks.begin()
  }

  /** What somebody else's observation of a key says. Null for a key that neither edition has. */
  compare(key: string, observation: Readable, turn: ObservationTurn): Promise<Comparison | null> {
    return this.#observer.compare(key, observation, turn)
  }

  /** What differs under this name, for a person who would let it stay; null where nothing does. */
  readonly ignorable = (item: string, signal: AbortSignal): Promise<Ignorable | null> =>
    this.#observer.ignorable(item, signal)
  /** Items of a key that may stay. */
  readonly ignoredAt = (key: string): ReadonlySet<string> => this.#observer.ignoredAt(key)

  readonly plan = (request: PlanRequest, signal: AbortSignal): Promise<Plan> =>
    this.#observer.plan(request, signal)

  /** Those of the rows that cannot be carried out whole, asked of the world now. */
  hindrances(candidates: Candidates, signal: AbortSignal): Promise<readonly RefusedRow[]> {
    const { store, clock } = this.#parts
    const parts = { store, clock, editions: this.#editions, components: this.#components }
    return hindrancesOf(parts, candidates, signal)
  }

  /** What is known of every key, with the reports so far that took no longer than a second to be understood. */
  async conditions(): Promise<readonly KeyConditions[]> {
    await this.understood(1000)
    return this.#conditions.all()
  }

  /** Resolves when every report so far is understood, or after `max_ms`. */
  readonly understood = (max_ms: Milliseconds): Promise<void> => this.#conditions.settled(max_ms)

  /** What waits for a deploy, by key. Reads the editions and nothing else. */
  readonly pendingRelease = (): Promise<PendingRelease> => this.#pending.read()

  /**
   * How every key is by what is known already, and where one was observed just now, by that. Nobody is asked.
   * @param pending null where nobody asks what waits, or the editions could not be read
   */
  statuses(pending: PendingRelease | null, live?: ReadonlyMap<string, LiveStatus>): readonly KeyStatus[] {
    return this.#observer.statuses(pending, live)
  }

  /** Why the newest release was never seen at a key; null where it was, and for what is no key. */
  readonly notApplied = (key: string): Promise<NotApplied | null> =>
    this.#observer.notApplied(key, this.#controller.report(key))

  /** When the key is looked at next at the latest; null while it is being worked on, or when nobody ticks. */
  readonly dueAt = (key: string): Instant | null => this.#controller.dueAt(key)

  /** What stands in the way of moving these rows, as far as it can be told without looking at the world. */
  readonly releaseGuards = (released: Intent, rows: readonly ReleaseRow[]): readonly GuardHit[] =>
    releaseGuards({ released, rows, protection: this.#parts.protection, complete: true })

  /** Rows whose saved state is not the deployed one. */
  readonly pendingRows = (): Promise<readonly ReleaseRow[]> => this.#editions.pendingRows()

  /** The components in the order in which a deploy works on them. */
  readonly applyOrder = (): readonly string[] => this.#components.names()
  readonly mayBeIgnored = (component: string): boolean => this.#components.mayBeIgnored(component)
  /** Components that were written once, and that no setting of this process names: nobody looks at them here. */
  readonly notSetUp = (): readonly string[] => this.#memory.writtenBut(this.applyOrder())

  /** What is kept true, in the order of work. */
  readonly keys = (): readonly string[] => this.#controller.targets().map(({ key }) => key)

  /** Of the keys that were worked on since the start. */
  lastReports(): readonly Report[] {
    return this.#controller.targets().flatMap(({ key }) => this.#controller.report(key) ?? [])
  }

  readonly onReport = (listener: (report: Report) => void): void => this.#controller.onReport(listener)

  /** Calls `listener` after every durable release. */
  onRelease(listener: () => void): void {
    this.#released.push(listener)
  }
  /** The setting that is in force for a component. */
  readonly modeOf = (component: string): ModeSetting => this.#memory.modeOf(component)
  readonly modeWith = (set: ModeSetting, of: string): ModeSetting => this.#memory.modeWith(set, of)
  readonly modeAfter = (setting: ModeSetting): ModeSetting => this.#memory.modeAfter(setting)

  /** A mode was saved and is durable: it is in force from now on, and what it concerns is looked at soon. */
  adoptMode(setting: ModeSetting): void {
    this.#memory.adoptMode(setting)
    for (const { name, key } of this.#controller.targets())
      if (setting.scope === '*' || setting.scope === name) this.#controller.hint(key)
  }
}
