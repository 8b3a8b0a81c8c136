/**
 * Observations outside of the passes: for whoever asks how things are, and for plans. What one has found is known
 * everywhere before its answer goes out, and is looked into by a pass where it is news.
 */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Plan } from '../../model/plan.ts'
import type { Report } from '../../model/report.ts'
import type { Store } from '../../ports/store.ts'
import { AWAITS_DEPLOY, type DriftCause } from '../../model/drift.ts'
import { NONE_IGNORED } from '../pass/ignored.ts'
import { observeWithin, callerTimeout, type ObservationOrder, type ObservationTurn } from '../observation.ts'
import type { Components } from '../components.ts'
import { makePlan, type PlanRequest } from '../plan.ts'
import type { PlanParts } from './planned-target.ts'
import type { AnyTarget, Difference } from '../target.ts'
import type { CallerObservation } from './caller-observation.ts'
import type { ConditionIndex } from './condition-index.ts'
import { isApplied, type Readable } from './decide.ts'
import { keyStatus, keyStatuses, type KeyStatus, type LiveStatus } from './key-status.ts'
import { type NotApplied, whyNotApplied } from './not-applied.ts'
import { compare, type Comparison, type ObservedKey, observeKey, type ObserveParts } from './observed-key.ts'
import type { PendingRelease } from './pending.ts'

export interface ObserverParts extends ObserveParts, Pick<PlanParts, 'protection'> {
  readonly store: Store
  readonly components: Components
  readonly looks: ObservationOrder
  /** In the order of work. */
  readonly targets: () => readonly AnyTarget[]
  readonly conditions: ConditionIndex
  readonly dueAt: (key: string) => Instant | null
  readonly lookSoon: (key: string, could_read: boolean) => void
}

/** How long an answer waits for what passes have reported just now. */
const UNDERSTANDING_MS: Milliseconds = 1000

/** A difference of the world, and what of it is known to whoever would let it stay. */
export interface Ignorable {
  readonly target: AnyTarget
  readonly cause: DriftCause
  /** What stands there lets in more than what was released. */
  readonly opens: boolean
  /** All that would stay with it. */
  readonly items: readonly string[]
  /** The digest of what stands there, in the look that all of this is said of. */
  readonly seen: string
  /** What a pass would change; null where it changes nothing. */
  readonly part: Difference<unknown> | null
}

export class Observer {
  readonly #parts: ObserverParts

  constructor(parts: ObserverParts) {
    this.#parts = parts
  }

  /** The first key of a component. */
  async firstKey(component: string, signal: AbortSignal): Promise<LiveStatus> {
    const target = this.#parts.targets().find((candidate) => candidate.name === component)
    if (target === undefined) throw new Failure('not_found', `There is no component "${component}".`)
    return this.#observe(target, signal)
  }

  /** Within `max_ms` each, also where a target heeds no signal; left out: what a caller may have to wait. */
  async all(signal: AbortSignal, max_ms?: Milliseconds): Promise<readonly LiveStatus[]> {
    const targets = await this.#everywhere()
    return Promise.all(targets.map((target) => this.#observe(target, signal, max_ms)))
  }

  /** With what a pass has reported meanwhile. */
  async each(targets: readonly AnyTarget[], signal: AbortSignal): Promise<readonly LiveStatus[]> {
    const observed = await Promise.all(targets.map((target) => this.#observe(target, signal)))
    await this.#parts.conditions.settled(UNDERSTANDING_MS)
    return observed.map((status) => this.#live(status.observed))
  }

  statuses(
    pending: PendingRelease | null,
    live: ReadonlyMap<string, LiveStatus> = new Map(),
  ): readonly KeyStatus[] {
    const { conditions, clock } = this.#parts
    const observed = new Map([...live].map(([key, status]) => [key, status.observed]))
    const facts = { conditions: conditions.all(), pending, observed, ...this.#schedule() }
    return keyStatuses(facts, clock.now())
  }

  async compare(key: string, observation: Readable, turn: ObservationTurn): Promise<Comparison | null> {
    const target = (await this.#everywhere()).find((candidate) => candidate.key === key)
    if (target === undefined) return null
    const { clock } = this.#parts
    const compared = await compare(target, this.#parts, observation)
    await this.#see(target, { ...compared, turn, at: clock.now() })
    return compared
  }

  async notApplied(key: string, report: Report | null): Promise<NotApplied | null> {
    const { targets, editions, memory } = this.#parts
    const target = targets().find((candidate) => candidate.key === key)
    if (target === undefined) return null
    const applied = isApplied(target, await editions.released(target), memory.applied(target))
    return whyNotApplied({
      applied,
      mode: memory.modeOf(target.name),
      attempt: memory.attempt(key),
      report,
    })
  }

  plan(request: PlanRequest, signal: AbortSignal): Promise<Plan> {
    const seen: PlanParts['seen'] = (target, found) => this.#see(target, found)
    return makePlan(this.#parts.components, { ...this.#parts, seen }, request, signal)
  }

  async #everywhere(): Promise<readonly AnyTarget[]> {
    const { store, components } = this.#parts
    return components.targetsFor(await store.intent('released'), await store.intent('working'))
  }

  async #observe(
    target: AnyTarget,
    signal: AbortSignal,
    max_ms = callerTimeout(target),
  ): Promise<LiveStatus> {
    const turn = this.#parts.looks.begin()
    const observed = await observeKey(target, { ...this.#parts, max_ms }, signal)
    await this.#see(target, { ...observed, turn, at: observed.observed_at })
    return this.#live(observed)
  }

  #live(observed: ObservedKey): LiveStatus {
    const { component, key } = observed
    const conditions = this.#parts.conditions.of(key)
    const facts = { component, key, conditions, waiting: null, pending: null, ...this.#schedule() }
    return { ...keyStatus({ ...facts, observed }, this.#parts.clock.now()), observed }
  }

  /** Until their end, also where no pass has looked since. */
  readonly ignoredAt = (key: string): ReadonlySet<string> => {
    const { ignored = NONE_IGNORED, clock } = this.#parts
    const now = clock.now()
    return new Set(ignored.of(key).flatMap(({ item, until }) => (until > now ? item : [])))
  }

  /** What differs under this name, as far as a person may say that it stays; the first where several keys have it. */
  async ignorable(item: string, signal: AbortSignal): Promise<Ignorable | null> {
    const { targets, editions, clock } = this.#parts
    for (const target of targets()) {
      const observation = await observeWithin(target, { clock, max_ms: callerTimeout(target) }, signal)
      const released = await editions.released(target)
      if (!observation.known || released === null) continue
      const { differences: explained } = await compare(target, { editions, clock }, observation)
      const named = explained.find((one) => one.item === item)
      if (named === undefined) continue
      const { desired } = released
      const { state } = observation
      const differences = target.diff(desired, state)
      const parts = target.whole ? differences : differences.filter((one) => one.item === item)
      return {
        target,
        cause: named.cause,
        opens: target.opens?.(desired, state) === true,
        // A file stays as it is or does not: what else differs in it stays with this.
        items: target.whole
          ? explained.flatMap((one) => (AWAITS_DEPLOY.has(one.cause) ? [] : one.item))
          : [item],
        seen: observation.digest,
        part: parts[0] ?? null,
      }
    }
    return null
  }

  #schedule() {
    const { dueAt, memory } = this.#parts
    return { dueAt, modeOf: (component: string) => memory.modeOf(component), ignoredAt: this.ignoredAt }
  }

  async #see(target: AnyTarget, found: CallerObservation): Promise<void> {
    const { turn, at, deviates, deviating = null, unknown_because, differences } = found
    const is_news = await this.#parts.conditions.see(target, {
      turn,
      at,
      deviates,
      deviating,
      unknown_because,
      differences,
    })
    if (is_news) this.#parts.lookSoon(target.key, deviates !== null)
  }
}
