/**
 * Looks outside of the passes: for whoever asks how things are, and for plans. What one has found is known everywhere
 * before its answer goes out, and is looked into by a pass where it is news.
 */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { Plan } from '../../model/plan.ts'
import type { Store } from '../../ports/store.ts'
import { callersTime } from '../bounded-look.ts'
import type { CallerLook } from './caller-look.ts'
import type { Components } from '../components.ts'
import type { LookOrder, LookTurn } from '../look-order.ts'
import { judged, type Judged, type Look, lookAt } from './look.ts'
import { makePlan, type PlanParts, type PlanRequest } from '../plan.ts'
import { type Standing, standingOf, type StandingParts } from './standing.ts'
import type { AnyTarget } from '../target.ts'

export interface CallerLooksParts extends StandingParts, Pick<PlanParts, 'protection'> {
  readonly store: Store
  readonly components: Components
  readonly looks: LookOrder
  /** In the order of work. */
  readonly targets: () => readonly AnyTarget[]
  /** Keeps what a look has found; true where it was not known. */
  readonly keep: (target: AnyTarget, look: CallerLook) => Promise<boolean>
  readonly lookSoon: (key: string, could_read: boolean) => void
}

/** What a look has found, as far as others are to know. */
interface Seen {
  readonly deviates: DriftState
  readonly unknown_because: string | null
  readonly differences: readonly ExplainedDifference[]
  readonly observed_at: Instant
}

export class CallerLooks {
  readonly #parts: CallerLooksParts

  constructor(parts: CallerLooksParts) {
    this.#parts = parts
  }

  async look(component: string, signal: AbortSignal): Promise<Look> {
    const target = this.#parts.targets().find((candidate) => candidate.name === component)
    if (target === undefined) throw new Failure('not_found', `There is no component "${component}".`)
    return this.#lookAt(target, signal)
  }

  /** Within `most_ms` each, also where a target heeds no signal; left out: what a caller may have to wait. */
  async looks(signal: AbortSignal, most_ms?: Milliseconds): Promise<readonly Look[]> {
    const targets = await this.#everywhere()
    return Promise.all(targets.map((target) => this.#lookAt(target, signal, most_ms)))
  }

  async judge(key: string, state: unknown, turn: LookTurn): Promise<Judged | null> {
    const target = (await this.#everywhere()).find((candidate) => candidate.key === key)
    if (target === undefined) return null
    const { editions, clock } = this.#parts
    const found = await judged(target, editions, state)
    await this.#see(target, turn, { ...found, unknown_because: null, observed_at: clock.now() })
    return found
  }

  async unreadable(key: string, detail: string, turn: LookTurn): Promise<void> {
    const target = (await this.#everywhere()).find((candidate) => candidate.key === key)
    const unknown = { deviates: null, unknown_because: detail, differences: [] }
    const observed_at = this.#parts.clock.now()
    if (target !== undefined) await this.#see(target, turn, { ...unknown, observed_at })
  }

  standings(targets: readonly AnyTarget[], signal: AbortSignal): Promise<readonly Standing[]> {
    const { looks } = this.#parts
    const standing = async (target: AnyTarget) => {
      const turn = looks.begin()
      const found = await standingOf(target, { ...this.#parts, most_ms: callersTime(target) }, signal)
      await this.#see(target, turn, { ...found, deviates: found.drift })
      return found
    }
    return Promise.all(targets.map(standing))
  }

  plan(request: PlanRequest, signal: AbortSignal): Promise<Plan> {
    const seen: PlanParts['seen'] = (target, turn, found) => this.#see(target, turn, found)
    return makePlan(this.#parts.components, { ...this.#parts, seen }, request, signal)
  }

  async #everywhere(): Promise<readonly AnyTarget[]> {
    const { store, components } = this.#parts
    return components.targetsFor(await store.intent('released'), await store.intent('working'))
  }

  async #lookAt(target: AnyTarget, signal: AbortSignal, most_ms = callersTime(target)): Promise<Look> {
    const { editions, clock, looks } = this.#parts
    const turn = looks.begin()
    const look = await lookAt(target, { editions, clock, most_ms }, signal)
    await this.#see(target, turn, look)
    return look
  }

  async #see(target: AnyTarget, turn: LookTurn, seen: Seen): Promise<void> {
    const { deviates, unknown_because, differences, observed_at: at } = seen
    const is_news = await this.#parts.keep(target, { turn, at, deviates, unknown_because, differences })
    if (is_news) this.#parts.lookSoon(target.key, deviates !== null)
  }
}
