/** What a plan says of one target: what would be done there, what stays as it is and why, and what that brings with it. */
import { firstOf } from '../../kernel/async/first-of.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { DriftCause } from '../../model/drift.ts'
import { suspendedWords } from '../../model/mode.ts'
import type { LeftByMode, PlannedAction, PlannedDifference, PlanInput, RefusedRow } from '../../model/plan.ts'
import type { Refusal } from '../../model/report.ts'
import { isTheirs, type Whose } from '../../model/whose.ts'
import type { ModeSetting, Store } from '../../ports/store.ts'
import type { Editions, Released } from '../editions/editions.ts'
import type { Memory } from '../memory.ts'
import { callerTimeout, type ObservationOrder, observeWithin } from '../observation.ts'
import { notOurs } from '../pass/guards.ts'
import type { RefusedItems } from '../pass/refused-items.ts'
import type { Protection } from '../pass/release-guards.ts'
import { keysOf, reportedOf } from '../pass/result.ts'
import type { AnyTarget, Difference, Observation, Obstacle } from '../target.ts'
import { alsoUndone, foreseen, leftBy, madeFirst, refusedBy } from './beside-plan.ts'
import type { CallerObservation } from './caller-observation.ts'
import { evaluate, type Evaluation, isApplied, obstaclesOf } from './decide.ts'
import { compare } from './observed-key.ts'

export interface PlanParts {
  readonly store: Store
  readonly editions: Editions
  readonly protection: Protection
  readonly clock: Clock
  readonly memory: Pick<Memory, 'applied' | 'modeOf' | 'modeWith' | 'written'>
  readonly refused_items: Pick<RefusedItems, 'waiting'>
  readonly looks: ObservationOrder
  /** Takes what was observed at a target, for everybody else. */
  readonly seen: (target: AnyTarget, found: CallerObservation) => Promise<void>
}

export interface TargetPart {
  readonly input: PlanInput
  readonly actions: readonly Omit<PlannedAction, 'needs'>[]
  readonly details: readonly PlannedDifference[]
  readonly unified_diff: string | null
  /** What only a person can move out of the way, in words. */
  readonly obstacles: readonly string[]
  /** Records to which that is refused. */
  readonly refused: readonly RefusedRow[]
  readonly left: readonly LeftByMode[]
}

export interface About {
  readonly records: Whose
  /** Names by id; the newest of each. */
  readonly names: ReadonlyMap<number, string>
  /** Of the records that the plan moves. */
  readonly moving: ReadonlySet<string>
  /** A mode that the plan sets. */
  readonly set: ModeSetting | undefined
  /** Whether what concerns these domains is to be told; what concerns none by name is the key as a whole. */
  readonly tells: (domains: readonly string[]) => boolean
}

const OTHERS: ReadonlySet<DriftCause> = new Set(['foreign_owner', 'orphan'])

export interface PlannedTarget {
  readonly target: AnyTarget
  /** Of the edition that the plan leads to. */
  readonly wanted: unknown
  readonly rows_moved: boolean
  readonly about: About
}

const NOTHING = { actions: [], details: [], unified_diff: null, obstacles: [], refused: [], left: [] }

export async function planTarget(
  planned: PlannedTarget,
  parts: PlanParts,
  signal: AbortSignal,
): Promise<TargetPart> {
  const { target, wanted, about } = planned
  const { observation, ...looked } = await lookAt(target, parts, signal)
  const seen = { component: target.name, key: target.key, observed_at: observation.at }
  if (!observation.known) return { ...NOTHING, input: { ...seen, digest: null, detail: observation.detail } }
  const input = { ...seen, digest: observation.digest, detail: null }
  const all = reportedOf(target.diff(wanted, observation.state))
  const theirs = obstaclesOf(target, wanted, observation.state).filter(({ domain_ids }) =>
    isTheirs(about.records, domain_ids),
  )
  const kept = keptByMode(planned, parts, { released: looked.released, open: all.length + theirs.length })
  if (kept !== null) return { ...NOTHING, ...kept, input }
  // Whoever deploys has what was refused to others wait for its own time.
  const times = { now: parts.clock.now(), asked_for: about.records }
  const waiting = parts.refused_items.waiting(target, all, times)
  const differences = all.filter(({ key }) => !waiting.has(key))
  if (differences.length + theirs.length === 0) return { ...NOTHING, input }
  const work = { ...looked, state: observation.state, differences, theirs, waiting }
  return { input, left: [], ...(await workAt(planned, parts, work, signal)) }
}

interface Looked {
  readonly released: Released | null
  readonly observation: Observation<unknown>
  /** Of that edition. */
  readonly evaluation: Evaluation
}

/** What was found there is told to everybody else, too. */
async function lookAt(
  target: AnyTarget,
  { editions, clock, looks, seen: tell }: PlanParts,
  signal: AbortSignal,
): Promise<Looked> {
  const turn = looks.begin()
  const observation = await observeWithin(target, { clock, max_ms: callerTimeout(target) }, signal)
  const released = await editions.released(target)
  const evaluation = evaluate(target, released, observation)
  const differences = await differencesAt(target, { editions, clock }, { evaluation, observation })
  await tell(target, { ...evaluation, turn, at: observation.at, differences })
  return { released, observation, evaluation }
}

/** What is told in place of work where a mode keeps the engine from it; null where none does. */
function keptByMode(
  { target, about: { set } }: PlannedTarget,
  { memory }: Pick<PlanParts, 'memory'>,
  { released, open }: { readonly released: Released | null; readonly open: number },
): Pick<TargetPart, 'obstacles' | 'left'> | null {
  const component = target.name
  const mode = set === undefined ? memory.modeOf(component) : memory.modeWith(set, component)
  const left = leftBy(mode, target, open)
  if (mode.mode === 'suspend')
    return { obstacles: [`${suspendedWords(component, mode.reason)} Nothing is done there.`], left }
  // Nobody asks for a repair who sets a mode: what that does on its own is done.
  const only_reports = set !== undefined && mode.mode === 'observe'
  return only_reports && isApplied(target, released, memory.applied(target)) ? { obstacles: [], left } : null
}

interface WorkAt extends Omit<Looked, 'observation'> {
  readonly state: unknown
  /** To be done. */
  readonly differences: readonly Difference<unknown>[]
  /** What only a person can move, of the records that the plan is about. */
  readonly theirs: readonly Obstacle[]
  /** What was refused a moment ago, by the key of the difference. */
  readonly waiting: ReadonlyMap<string, Refusal>
}

async function workAt(
  { target, wanted, rows_moved, about }: PlannedTarget,
  { memory }: Pick<PlanParts, 'memory'>,
  { released, evaluation, state, differences, theirs, waiting }: WorkAt,
  signal: AbortSignal,
): Promise<Omit<TargetPart, 'input' | 'left'>> {
  const component = target.name
  const written_before = memory.written(target) !== null
  const occupied = notOurs({ target, differences, written_before })
  const deviating = keysOf(evaluation.differences)
  const left = new Set([...waiting.values()].map(({ item }) => item))
  const explained = target.explain({
    working: wanted,
    released: released?.desired ?? null,
    observed: state,
    rows_moved,
    wanted_as: rows_moved ? 'with this plan' : 'released edition',
  })
  const in_the_way = [...(occupied === null ? [] : [occupied]), ...theirs.map(({ failure }) => failure)]
  // Where nothing of ours ever stood, nobody has edited it.
  const may_undo = target.whole && written_before
  return {
    actions: [
      ...madeFirst(component, differences),
      ...actionsFor(component, differences, { deviating, records: about.records }),
    ],
    details: explained.differences
      .filter(({ cause, domains, item }) => about.tells(domains) || !(OTHERS.has(cause) || left.has(item)))
      .map((difference) => ({ component, ...difference })),
    unified_diff: explained.unified_diff,
    refused: refusedBy(theirs, about.names),
    obstacles: [
      ...firstOf(
        in_the_way.map(({ message }) => message),
        'GET /api/drift',
      ),
      ...(may_undo ? alsoUndone(target.key, explained.differences, about) : []),
      ...(await foreseen(target, differences, signal)),
    ],
  }
}

interface Deviating {
  /** Keys at which the world is not what was released. */
  readonly deviating: ReadonlySet<string>
  readonly records: Whose
}

const actionsFor = (
  component: string,
  differences: readonly Difference<unknown>[],
  { deviating, records }: Deviating,
): TargetPart['actions'] =>
  differences.map(({ key, verb, item, before, after, domain_ids }) => ({
    component,
    verb,
    item,
    before,
    after,
    reason: deviating.has(key) ? 'repair' : 'release',
    of_neighbour: !isTheirs(records, domain_ids),
  }))

/** Explained where somebody has to be told of one. */
async function differencesAt(
  target: AnyTarget,
  parts: Pick<PlanParts, 'editions' | 'clock'>,
  { evaluation, observation }: { evaluation: Evaluation; observation: Observation<unknown> },
): Promise<CallerObservation['differences']> {
  if (!observation.known) return []
  const is_reported = evaluation.deviates === true || (await parts.editions.rowsMoved())
  return is_reported ? (await compare(target, parts, observation)).differences : []
}
