/** What a release of some rows would do to the world as it is now. Looks and computes; changes nothing. */
import { suspendedWords } from '../model/mode.ts'
import type { Clock } from '../kernel/clock.ts'
import { firstOf } from '../kernel/async/first-of.ts'
import type { DriftCause } from '../model/drift.ts'
import type { Intent, IntentRow } from '../model/intent.ts'
import type {
  LeftByMode,
  Plan,
  PlannedAction,
  PlannedDifference,
  PlanInput,
  PlanScope,
  RefusedRow,
} from '../model/plan.ts'
import { sealPlan } from '../model/plan.ts'
import { isTheirs, type Whose } from '../model/whose.ts'
import type { ModeSetting, Store } from '../ports/store.ts'
import type { ReleaseRow } from '../ports/records/trails.ts'
import { observeWithin, callerTimeout, type ObservationOrder } from './observation.ts'
import { type Components, concerning } from './components.ts'
import type { Editions } from './editions/editions.ts'
import type { CallerObservation } from './status/caller-observation.ts'
import { alsoUndone, foreseen, madeFirst, refusedBy } from './status/beside-plan.ts'
import { evaluate, type Evaluation, isApplied, obstaclesOf } from './status/decide.ts'
import { leftBy } from './status/left-by-mode.ts'
import { compare } from './status/observed-key.ts'
import type { Memory } from './memory.ts'
import { plannedRows } from './editions/planned-rows.ts'
import type { RefusedItems } from './pass/refused-items.ts'
import { notOurs } from './pass/guards.ts'
import { type Protection, releaseGuards } from './pass/release-guards.ts'
import { keysOf, reportedOf } from './pass/result.ts'
import { type Reach, reaches } from './reach.ts'
import type { AnyTarget, Difference, Observation } from './target.ts'

export interface PlanRequest {
  readonly scope: PlanScope
  /** Rows that would move. */
  readonly rows: readonly ReleaseRow[]
  readonly warnings: readonly string[]
  /** Rows that were to move and stay, because they cannot be carried out whole. */
  readonly refused?: readonly RefusedRow[]
  /** What the call works on; nobody's is a call that only saves, and then nothing is looked at. */
  readonly reach: Reach
  /** Records that it is about, as they would be, also where they are refused. */
  readonly about?: readonly IntentRow[]
  /** It is refused before its first write: nothing of it is done. */
  readonly is_refused?: boolean
  /** Digest of every value that would be saved: the hash holds them, too. */
  readonly values?: string
  /** Whether the call answers what the world refuses to single records, and goes on; it fails with it otherwise. */
  readonly tells_refused?: boolean
  /** What a person's word alone brings about, beside what the rows do. */
  readonly actions?: readonly Omit<PlannedAction, 'needs' | 'of_neighbour'>[]
  /** What is set by it of how far the reconciler goes on its own: what that then does. */
  readonly mode?: ModeSetting | undefined
  /** What could not be asked, so that it is not known whether there is a target at all. */
  readonly unread?: readonly Pick<PlanInput, 'component' | 'key' | 'detail'>[]
}

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

export async function makePlan(
  components: Components,
  plan_parts: PlanParts,
  request: PlanRequest,
  signal: AbortSignal,
): Promise<Plan> {
  const { scope, rows, warnings, refused = [], actions = [], unread = [], reach, about: asked = [] } = request
  const { store, editions, protection } = plan_parts
  const prospect = await editions.prospect(store, components.blueprints, rows)
  const released = await store.intent('released')
  const targets = components.targetsFor(released, prospect.intent)
  const editions_of_records = [{ rows: asked }, prospect.intent, released, await store.intent('working')]
  const isConcerned = concerning(reach.records, ...editions_of_records)
  const concerned = targets.filter((target) => reaches(reach, target) && isConcerned(target))
  const moving = new Set(
    plannedRows(prospect.rows, released).flatMap(({ domain, renamed_from = domain }) => [
      domain,
      renamed_from,
    ]),
  )
  const about = { ...aboutOf(reach.records, editions_of_records), moving, set: request.mode }
  const parts = await Promise.all(
    concerned.map((target) => {
      const wanted = prospect.desired.get(target.artifact)
      const part = { target, wanted, rows_moved: prospect.rows.length > 0, about }
      return planTarget(part, plan_parts, signal)
    }),
  )
  const is_refused = request.is_refused === true
  const of_world = request.tells_refused === true ? parts.flatMap((part) => part.refused) : []
  const complete = parts.every(({ input }) => input.digest !== null)
  const unseen = { digest: null, observed_at: plan_parts.clock.now() }
  const diffs = parts.flatMap(({ unified_diff }) => unified_diff ?? [])
  return sealPlan(
    {
      installation_id: store.installation_id,
      scope,
      base_release: (await store.latestRelease())?.number ?? 0,
      rows: plannedRows(prospect.rows, released),
      actions: is_refused
        ? []
        : [...inOrder(parts), ...actions.map((action) => ({ ...action, needs: [], of_neighbour: false }))],
      details: parts.flatMap(({ details }) => details),
      unified_diff: is_refused || diffs.length === 0 ? null : diffs.join('\n'),
      warnings: [...warnings, ...parts.flatMap(({ obstacles }) => obstacles)],
      inputs: [...parts.map(({ input }) => input), ...unread.map((one) => ({ ...one, ...unseen }))],
      guards: releaseGuards({ released, rows: prospect.rows, protection, complete }),
      refused: firstOfEach([...refused, ...of_world]),
      left: parts.flatMap(({ left }) => left),
      complete: complete && unread.length === 0,
    },
    request.values,
  )
}

interface TargetPart {
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

interface About {
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

/** A plan of some records is no list of what stands in the way of others. @param editions the newest first */
function aboutOf(records: Whose, editions: readonly Intent[]): Omit<About, 'moving' | 'set'> {
  const rows = editions.flatMap((edition) => edition.rows)
  const names = new Map(rows.toReversed().map(({ domain_id, fields }) => [domain_id, fields.domain]))
  if (records === 'all') return { records, names, tells: () => true }
  const ids = new Set(records)
  const known = new Set(rows.flatMap(({ domain_id, fields }) => (ids.has(domain_id) ? [fields.domain] : [])))
  return {
    records,
    names,
    tells: (domains) => domains.length === 0 || domains.some((domain) => known.has(domain)),
  }
}

/** A record is told of once, by its first reason. */
const firstOfEach = (rows: readonly RefusedRow[]): readonly RefusedRow[] =>
  [...new Map(rows.toReversed().map((row) => [row.domain_id, row])).values()].toReversed()

const OTHERS: ReadonlySet<DriftCause> = new Set(['foreign_owner', 'orphan'])

async function planTarget(
  {
    target,
    wanted,
    rows_moved,
    about,
  }: { target: AnyTarget; wanted: unknown; rows_moved: boolean; about: About },
  { editions, clock, looks, memory, refused_items, seen: tell }: PlanParts,
  signal: AbortSignal,
): Promise<TargetPart> {
  const component = target.name
  const turn = looks.begin()
  const observation = await observeWithin(target, { clock, max_ms: callerTimeout(target) }, signal)
  const released = await editions.released(target)
  const evaluation = evaluate(target, released, observation)
  const differing = await differencesAt(target, { editions, clock }, { evaluation, observation })
  await tell(target, { ...evaluation, turn, at: observation.at, differences: differing })
  const seen = { component, key: target.key, observed_at: observation.at }
  const nothing = { actions: [], details: [], unified_diff: null, obstacles: [], refused: [], left: [] }
  if (!observation.known) return { ...nothing, input: { ...seen, digest: null, detail: observation.detail } }
  const input = { ...seen, digest: observation.digest, detail: null }
  const { records, names, set } = about
  const mode = set === undefined ? memory.modeOf(component) : memory.modeWith(set, component)
  const all = reportedOf(target.diff(wanted, observation.state))
  const theirs = obstaclesOf(target, wanted, observation.state).filter(({ domain_ids }) =>
    isTheirs(records, domain_ids),
  )
  if (mode.mode === 'suspend')
    return {
      ...nothing,
      input,
      obstacles: [`${suspendedWords(component, mode.reason)} Nothing is done there.`],
      left: leftBy(mode, target, all.length + theirs.length),
    }
  // Nobody asks for a repair who sets a mode: what that does on its own is done.
  if (set !== undefined && mode.mode === 'observe' && isApplied(target, released, memory.applied(target)))
    return { ...nothing, input, left: leftBy(mode, target, all.length + theirs.length) }
  // Whoever deploys has what was refused to others wait for its own time.
  const waiting = refused_items.waiting(target, all, { now: clock.now(), asked_for: records })
  const differences = all.filter(({ key }) => !waiting.has(key))
  const written_before = memory.written(target) !== null
  const occupied = notOurs({ target, differences, written_before })
  if (differences.length + theirs.length === 0) return { ...nothing, input }
  const obstacles = [
    ...(occupied === null ? [] : [occupied.message]),
    ...theirs.map(({ failure }) => failure.message),
  ]
  const deviating = keysOf(evaluation.differences)
  const left = new Set([...waiting.values()].map(({ item }) => item))
  const explained = target.explain({
    working: wanted,
    released: released?.desired ?? null,
    observed: observation.state,
    rows_moved,
    wanted_as: rows_moved ? 'with this plan' : 'released edition',
  })
  return {
    input,
    actions: [
      ...madeFirst(component, differences),
      ...actionsFor(component, differences, { deviating, records }),
    ],
    details: explained.differences
      .filter(({ cause, domains, item }) => about.tells(domains) || !(OTHERS.has(cause) || left.has(item)))
      .map((difference) => ({ component, ...difference })),
    unified_diff: explained.unified_diff,
    left: [],
    refused: refusedBy(theirs, names),
    obstacles: [
      ...firstOf(obstacles, 'GET /api/drift'),
      // Where nothing of ours ever stood, nobody has edited it.
      ...(target.whole && written_before && occupied === null
        ? alsoUndone(target.key, explained.differences, about)
        : []),
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

/** Actions in the order of their targets; each needs the components that act before its own. */
function inOrder(parts: readonly TargetPart[]): readonly PlannedAction[] {
  const before = new Set<string>()
  return parts.flatMap(({ actions, input }) => {
    const needs = [...before].filter((component) => component !== input.component)
    if (actions.length > 0) before.add(input.component)
    return actions.map((action) => ({ ...action, needs }))
  })
}
