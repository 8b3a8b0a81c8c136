/**
 * One key as it is now: an observation that touches nothing, compared with both editions and explained, what each side
 * holds for a domain, and what the engine does about it.
 */
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { GuardHit } from '../../model/plan.ts'
import type { SidesOf } from '../../model/sides/sides.ts'
import type { Reaction } from '../../model/reaction.ts'
import type { Attempt, ModeSetting, StoreReader } from '../../ports/store.ts'
import { observeWithin } from '../observation.ts'
import { digestOf } from '../editions/derivations.ts'
import { type Editions, newestDigest, portionOf, type Released } from '../editions/editions.ts'
import type { Memory } from '../memory.ts'
import { fightOver } from '../pass/fight.ts'
import { guardHit } from '../pass/guards.ts'
import { ignoredAmong, type IgnoredDifferences } from '../pass/ignored.ts'
import type { RefusedItems } from '../pass/refused-items.ts'
import type { AnyTarget, Observation } from '../target.ts'
import { whyNotApplied } from './not-applied.ts'
import { type WhyNot, withOwnFailures } from './own-failures.ts'
import {
  decide,
  type Evaluation,
  evaluate,
  isApplied,
  isOther,
  obstaclesOf,
  type Readable,
} from './decide.ts'
import { partOf, type RecordPart } from './record-part.ts'

export interface ObserveParts {
  readonly store: StoreReader
  readonly editions: Editions
  readonly memory: Memory
  readonly refused_items: RefusedItems
  readonly clock: Clock
  /** False where the timer asks; left out, a caller does. */
  readonly afresh?: boolean
  /** How long the observation may take; left out: the target's own deadline. */
  readonly max_ms?: Milliseconds
  /** What a person has said may stay; left out: nothing. */
  readonly ignored?: IgnoredDifferences
}

/** What an observation of a key says beside both editions. */
export interface Comparison {
  /**
   * Is the world other than either edition says? A world that shows what is saved and not released is: a pass undoes it.
   * Null when it could not be read.
   */
  readonly drift: DriftState
  /** The same of the released edition alone. */
  readonly deviates: DriftState
  /** Why the world could not be read, else null. */
  readonly unknown_because: string | null
  /** The records whose part is other than was released; null where something belongs to the key as a whole. */
  readonly deviating: readonly number[] | null
  /** Between the world and the working edition, with their causes. */
  readonly differences: readonly ExplainedDifference[]
  readonly unified_diff: string | null
  readonly note: string | null
  /** What each side holds of a difference, by its item. */
  readonly sidesOf?: SidesOf
}

/** Here the drift is unknown also where a record of the key is damaged. */
export interface ObservedKey extends Comparison {
  readonly component: string
  readonly key: string
  readonly observed_at: Instant
  readonly working_digest: string
  readonly released_digest: string | null
  /** Null when there is nothing, or when it could not be read. */
  readonly observed_digest: string | null
  /** False while the newest release was never seen in the world. */
  readonly applied: boolean
  /** What stands between the differences and their repair, unless a caller asks for it. */
  readonly guard: GuardHit | null
  readonly attempt: Attempt | null
  readonly reaction: Reaction
  /** The same four of what concerns one record: what is under way for its neighbours at the same key is none of its business. */
  of(domain_id: number): RecordPart
  /** What stands there for a record though nothing asks for it. */
  kept(domain_id: number): readonly string[]
  /** Null where the target's states have no parts that belong to single domains. */
  excerpts(domains: readonly string[]): Excerpts | null
}

/** Null for a side that holds nothing of the domains. */
export interface Excerpts {
  readonly working: string | null
  readonly released: string | null
  /** Also null when the world could not be read. */
  readonly observed: string | null
}

type Known = Extract<Observation<unknown>, { known: true }>

interface Sides {
  readonly working: unknown
  readonly working_digest: string
  readonly released: Released | null
}

/** An observation that fails is an answer; only an abort by `signal` throws. */
export async function observeKey(
  target: AnyTarget,
  parts: ObserveParts,
  signal: AbortSignal,
): Promise<ObservedKey> {
  const observation = await observeWithin(target, parts, signal)
  const sides = await sidesOf(target, parts.editions)
  const evaluation = evaluate(target, sides.released, observation)
  const found = observation.known ? observation : null
  const found_by_sides = await comparison(target, parts, { ...sides, evaluation, observation })
  // What is known to differ is told; what seems to be the same is not known to be.
  const damaged = found_by_sides.drift === false ? await parts.editions.damageIn(target) : null
  const { memory } = parts
  const attempt = memory.attempt(target.key)
  const applied = isApplied(target, sides.released, memory.applied(target))
  const guard = await guardOver(target, parts, { ...sides, evaluation, found })
  const mode = memory.modeOf(target.name)
  const differences =
    applied || found === null
      ? found_by_sides.differences
      : await withOwnFailures(target, parts, found_by_sides.differences, {
          applied: memory.written(target),
          is_first: target.whole && !memory.wasEverWritten(target.key),
          state: found.state,
          observed: found.digest,
          failed_whole: guard === null && attempt !== null,
          why: whyNot(target, parts, { guard, evaluation, mode, attempt }),
        })
  const compared = { ...found_by_sides, differences }
  const facts = { mode, applied, guard, attempt }
  const { refused_items } = parts
  const rest_stands = (): boolean =>
    sides.released !== null && refused_items.restStands(target.key, portionOf(target, sides.released))
  return {
    component: target.name,
    key: target.key,
    observed_at: observation.at,
    ...compared,
    drift: damaged === null ? compared.drift : null,
    unknown_because: evaluation.unknown_because ?? damaged,
    working_digest: sides.working_digest,
    released_digest: sides.released?.digest ?? null,
    observed_digest: found?.digest ?? null,
    applied,
    guard,
    attempt,
    reaction: decide({ ...facts, evaluation, asked: false }),
    of: (domain_id) =>
      partOf(domain_id, {
        ...facts,
        evaluation,
        rest_stands: rest_stands(),
        tries: (differences) => refused_items.tries(target.key, differences),
      }),
    kept: (domain_id) =>
      found === null || sides.released === null
        ? []
        : (target.keeps?.(sides.released.desired, found.state, domain_id) ?? []),
    excerpts: (domains) => excerptsOf(target, { ...sides, found }, domains),
  }
}

interface Hindering extends Pick<ObservedKey, 'guard' | 'attempt'> {
  readonly evaluation: Evaluation
  readonly mode: ModeSetting
}

/** What keeps the release from a part: that it was refused alone, or what keeps all of it. */
function whyNot(
  target: AnyTarget,
  { refused_items }: ObserveParts,
  { guard, evaluation, mode, attempt }: Hindering,
): WhyNot {
  const tries = refused_items.tries(target.key, evaluation.differences)
  const of_whole = target.whole ? refused_items.refusal(target.key) : null
  return (item) => {
    const refused = tries.find(({ refusal }) => refusal.item === item)?.refusal ?? of_whole
    if (refused !== null) return refused.failure.message
    return guard?.message ?? whyNotApplied({ applied: false, mode, attempt, report: null })!.because
  }
}

const UNREAD = {
  drift: null,
  deviates: null,
  deviating: null,
  differences: [],
  unified_diff: null,
  note: null,
} as const

type ComparedBy = Pick<ObserveParts, 'editions' | 'ignored' | 'clock'>

/** @param observation by whomever; its state as the target observes it */
export async function compare(
  target: AnyTarget,
  parts: ComparedBy,
  observation: Readable,
): Promise<Comparison> {
  const sides = await sidesOf(target, parts.editions)
  const evaluation = evaluate(target, sides.released, observation)
  return comparison(target, parts, { ...sides, evaluation, observation })
}

async function sidesOf(target: AnyTarget, editions: Editions): Promise<Sides> {
  const working = await editions.working(target)
  const released = await editions.released(target)
  return { working, working_digest: digestOf(target.codec, working), released }
}

interface Compared extends Sides {
  readonly evaluation: Evaluation
  readonly observation: Readable
}

async function comparison(
  target: AnyTarget,
  { editions, ignored, clock }: ComparedBy,
  { working, working_digest, released, evaluation, observation }: Compared,
): Promise<Comparison> {
  const { unknown_because } = evaluation
  if (!observation.known) return { ...UNREAD, unknown_because }
  const { state } = observation
  // Whoever has seen more than was said may stay tells so at once: a pass may be long in coming, or suspended.
  if (released !== null && ignored !== undefined)
    ignoredAmong(target, ignored, {
      desired: released.desired,
      state,
      differences: evaluation.differences,
      now: clock.now(),
    })
  const deviates = evaluation.deviates === true
  const is_same = released?.digest === working_digest
  const drift = deviates || (!is_same && isOtherThan(target, working, state))
  const rows_moved = await editions.rowsMoved()
  const sides = { working, released: released?.desired ?? null, observed: state, rows_moved }
  return { ...target.explain(sides), drift, deviates, deviating: deviatingIn(evaluation), unknown_because }
}

function deviatingIn({ differences, obstacles }: Evaluation): readonly number[] | null {
  const ids = [...differences, ...obstacles].map(({ domain_ids = [] }) => domain_ids)
  return ids.some((of_one) => of_one.length === 0) ? null : [...new Set(ids.flat())]
}

const isOtherThan = (target: AnyTarget, desired: unknown, state: unknown): boolean =>
  isOther(target.diff(desired, state), obstaclesOf(target, desired, state))

interface Seen extends Sides {
  readonly evaluation: Evaluation
  readonly found: Known | null
}

async function guardOver(
  target: AnyTarget,
  { store, memory, clock }: ObserveParts,
  { released, evaluation: { differences }, found }: Seen,
): Promise<GuardHit | null> {
  if (released === null || found === null || differences.length === 0) return null
  const fight = fightOver(await store.revertsSince(target.key, 0), found.digest, clock.now())
  return guardHit({
    target,
    differences,
    written_before: memory.written(target) !== null,
    computed_for: released.digest,
    newest: newestDigest(await store.latestRelease(), target, released.digest),
    asked: false,
    // It ends a fight and nothing else.
    opens: fight !== null && target.opens?.(released.desired, found.state) === true,
    fight,
    observed: found.digest,
  })
}

/** What is there is cut out of what was seen, also where nothing deviates: an edition may leave open what the world fills in. */
function excerptsOf(
  { excerpt }: AnyTarget,
  { working, working_digest, released, found }: Omit<Seen, 'evaluation'>,
  domains: readonly string[],
): Excerpts | null {
  if (excerpt === undefined) return null
  const frozen = released && excerpt.desired(released.desired, domains)
  const is_deployed = released?.digest === working_digest
  return {
    working: is_deployed ? frozen : excerpt.desired(working, domains),
    released: frozen,
    observed: found === null ? null : excerpt.observed(found.state, domains),
  }
}
