/** What a release of some rows would do to the world as it is now. Looks and computes; changes nothing. */
import type { Intent, IntentRow } from '../model/intent.ts'
import type { Plan, PlannedAction, PlanInput, PlanScope, RefusedRow } from '../model/plan.ts'
import { eachRefusedOnce, sealPlan } from '../model/plan.ts'
import type { Whose } from '../model/whose.ts'
import type { ReleaseRow } from '../ports/records/trails.ts'
import type { ModeSetting } from '../ports/store.ts'
import { type Components, concerning } from './components.ts'
import { plannedRows } from './editions/planned-rows.ts'
import { releaseGuards } from './pass/release-guards.ts'
import { type Reach, reaches } from './reach.ts'
import { type About, type PlanParts, planTarget, type TargetPart } from './status/planned-target.ts'

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
      refused: eachRefusedOnce([...refused, ...of_world]),
      left: parts.flatMap(({ left }) => left),
      complete: complete && unread.length === 0,
    },
    request.values,
  )
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

/** Actions in the order of their targets; each needs the components that act before its own. */
function inOrder(parts: readonly TargetPart[]): readonly PlannedAction[] {
  const before = new Set<string>()
  return parts.flatMap(({ actions, input }) => {
    const needs = [...before].filter((component) => component !== input.component)
    if (actions.length > 0) before.add(input.component)
    return actions.map((action) => ({ ...action, needs }))
  })
}
