/** What a release of some rows would do to the world as it is now. Looks and computes; changes nothing. */
import type { Clock, Milliseconds } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { firstOf } from '../kernel/async/first-of.ts'
import type { DriftCause } from '../model/drift.ts'
import type { Intent } from '../model/intent.ts'
import type {
  Plan,
  PlannedAction,
  PlannedDifference,
  PlanInput,
  PlannedRow,
  PlanScope,
  RefusedRow,
} from '../model/plan.ts'
import { sealPlan } from '../model/plan.ts'
import type { Store } from '../ports/store.ts'
import type { ReleaseRow } from '../ports/records/trails.ts'
import { observeWithin, callerTimeout, type ObservationOrder } from './observation.ts'
import { type Components } from './components.ts'
import { type Editions, movedRows } from './editions/editions.ts'
import type { CallerObservation } from './status/caller-observation.ts'
import { evaluate, type Evaluation, obstaclesOf } from './status/decide.ts'
import { compare } from './status/observed-key.ts'
import { type Protection, releaseGuards } from './pass/release-guards.ts'
import type { AnyTarget, Difference, Observation } from './target.ts'

export interface PlanRequest {
  readonly scope: PlanScope
  /** Rows that would move. */
  readonly rows: readonly ReleaseRow[]
  readonly warnings: readonly string[]
  /** Rows that were to move and stay, because they cannot be carried out whole. */
  readonly refused?: readonly RefusedRow[]
  /** What a person's word alone brings about, beside what the rows do. */
  readonly actions?: readonly Omit<PlannedAction, 'needs'>[]
  /** The call releases nothing, so that what is to be repaired is none of its doing: nobody is asked. */
  readonly only_saves?: boolean
  /** What could not be asked, so that it is not known whether there is a target at all. */
  readonly unread?: readonly Pick<PlanInput, 'component' | 'key' | 'detail'>[]
}

export interface PlanParts {
  readonly store: Store
  readonly editions: Editions
  readonly protection: Protection
  readonly clock: Clock
  readonly looks: ObservationOrder
  /** Takes what was observed at a target, for everybody else. */
  readonly seen: (target: AnyTarget, found: CallerObservation) => Promise<void>
}

export async function makePlan(
  components: Components,
  plan_parts: PlanParts,
  { scope, rows, warnings, refused = [], actions = [], unread = [], only_saves = false }: PlanRequest,
  signal: AbortSignal,
): Promise<Plan> {
  const { store, editions, protection } = plan_parts
  const prospect = await editions.prospect(store, components.blueprints, rows)
  const released = await store.intent('released')
  const targets = components.targetsFor(released, prospect.intent)
  const concerned = targets.filter(({ name, constant }) =>
    scope.kind === 'component' ? name === scope.component : constant !== true && !only_saves,
  )
  const isAbout = aboutOf(scope, rows, released)
  const parts = await Promise.all(
    concerned.map((target) => {
      const wanted = prospect.desired.get(target.artifact)
      const part = { target, wanted, rows_moved: prospect.rows.length > 0, isAbout }
      return planTarget(part, plan_parts, signal)
    }),
  )
  const complete = parts.every(({ input }) => input.digest !== null)
  const unseen = { digest: null, observed_at: plan_parts.clock.now() }
  const diffs = parts.flatMap(({ unified_diff }) => unified_diff ?? [])
  return sealPlan({
    installation_id: store.installation_id,
    scope,
    base_release: (await store.latestRelease())?.number ?? 0,
    rows: plannedRows(prospect.rows, released),
    actions: [...inOrder(parts), ...actions.map((action) => ({ ...action, needs: [] }))],
    details: parts.flatMap(({ details }) => details),
    unified_diff: diffs.length === 0 ? null : diffs.join('\n'),
    warnings: [...warnings, ...parts.flatMap(({ obstacles }) => obstacles)],
    inputs: [...parts.map(({ input }) => input), ...unread.map((one) => ({ ...one, ...unseen }))],
    guards: releaseGuards({ released, rows: prospect.rows, protection, complete }),
    refused,
    complete: complete && unread.length === 0,
  })
}

interface TargetPart {
  readonly input: PlanInput
  readonly actions: readonly Omit<PlannedAction, 'needs'>[]
  readonly details: readonly PlannedDifference[]
  readonly unified_diff: string | null
  /** What only a person can move out of the way, in words. */
  readonly obstacles: readonly string[]
}

/** Whether a plan tells of what is somebody else's to move away, for these records by id or by name; none: for the key as a whole. */
type IsAbout = (records: readonly (number | string)[]) => boolean

/** A plan of some records is no list of what stands in the way of others. */
function aboutOf(scope: PlanScope, rows: readonly ReleaseRow[], released: Intent): IsAbout {
  const ids = scope.kind === 'domain' ? [scope.domain_id] : rows.map(({ domain_id }) => domain_id)
  if ((scope.kind !== 'domain' && scope.kind !== 'call') || ids.length === 0) return () => true
  const both = [...released.rows, ...rows.flatMap(({ row }) => row ?? [])]
  const theirs = both.filter(({ domain_id }) => ids.includes(domain_id))
  const known = new Set<number | string>([...ids, ...theirs.map(({ fields }) => fields.domain)])
  return (records) => records.length === 0 || records.some((record) => known.has(record))
}

const OTHERS: ReadonlySet<DriftCause> = new Set(['foreign_owner', 'orphan'])

async function planTarget(
  {
    target,
    wanted,
    rows_moved,
    isAbout,
  }: { target: AnyTarget; wanted: unknown; rows_moved: boolean; isAbout: IsAbout },
  { editions, clock, looks, seen: tell }: PlanParts,
  signal: AbortSignal,
): Promise<TargetPart> {
  const component = target.name
  const turn = looks.begin()
  const observation = await observeWithin(target, { clock, max_ms: callerTimeout(target) }, signal)
  const released = await editions.released(target)
  const evaluation = evaluate(target, released, observation)
  const differing = await differencesAt(target, editions, { evaluation, observation })
  await tell(target, { ...evaluation, turn, at: observation.at, differences: differing })
  const seen = { component, key: target.key, observed_at: observation.at }
  const nothing = { actions: [], details: [], unified_diff: null, obstacles: [] }
  if (!observation.known) return { ...nothing, input: { ...seen, digest: null, detail: observation.detail } }
  const input = { ...seen, digest: observation.digest, detail: null }
  const differences = target.diff(wanted, observation.state)
  const obstacles = obstaclesOf(target, wanted, observation.state)
    .filter(({ domain_ids }) => isAbout(domain_ids))
    .map(({ failure }) => failure.message)
  if (differences.length + obstacles.length === 0) return { ...nothing, input }
  const reason = evaluation.differences.length > 0 ? 'repair' : 'release'
  const explained = target.explain({
    working: wanted,
    released: released?.desired ?? null,
    observed: observation.state,
    rows_moved,
  })
  return {
    input,
    actions: differences.map(({ verb, item, before, after }) => ({
      component,
      verb,
      item,
      before,
      after,
      reason,
    })),
    details: explained.differences
      .filter(({ cause, domains }) => !OTHERS.has(cause) || isAbout(domains))
      .map((difference) => ({ component, ...difference })),
    unified_diff: explained.unified_diff,
    obstacles: [...firstOf(obstacles, 'GET /api/drift'), ...(await foreseen(target, differences, signal))],
  }
}

/** Explained where somebody has to be told of one. */
async function differencesAt(
  target: AnyTarget,
  editions: Editions,
  { evaluation, observation }: { evaluation: Evaluation; observation: Observation<unknown> },
): Promise<CallerObservation['differences']> {
  if (!observation.known) return []
  const is_told = evaluation.deviates === true || (await editions.rowsMoved())
  return is_told ? (await compare(target, editions, observation)).differences : []
}

/** Looking ahead must not hold a plan, and what cannot be found out is only not said. */
const MAX_FORESEEING_MS: Milliseconds = 10_000

async function foreseen(
  target: AnyTarget,
  differences: readonly Difference<unknown>[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (target.foresee === undefined || differences.length === 0) return []
  try {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_FORESEEING_MS)])
    return await target.foresee(differences, bounded)
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof Failure) return [`${target.key}: ${error.message}`]
    if (error instanceof DOMException)
      return [`${target.key}: what stands in the way could not be found out.`]
    throw error
  }
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

export function plannedRows(rows: readonly ReleaseRow[], released: Intent): readonly PlannedRow[] {
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  return movedRows(rows, released).map(({ domain_id, row }) => {
    const old = before.get(domain_id)
    const domain = (row ?? old)?.fields.domain ?? `#${domain_id}`
    const wasLive = old?.live === true
    const change = row?.live === true ? (wasLive ? 'update' : 'add') : 'remove'
    return { domain_id, domain, change, revision: row?.revision ?? null }
  })
}
