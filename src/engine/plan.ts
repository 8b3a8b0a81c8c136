/** What a release of some rows would do to the world as it is now. Looks and computes; changes nothing. */
import type { Intent } from '../model/intent.ts'
import { type Plan, type PlannedAction, type PlanInput, type PlannedRow, sealPlan } from '../model/plan.ts'
import type { ReleaseRow, StoreReader } from '../ports/store.ts'
import type { Editions } from './editions.ts'
import type { AnyTarget } from './target.ts'

export interface PlanScope {
  readonly rows: readonly ReleaseRow[]
  readonly warnings: readonly string[]
}

export async function makePlan(
  targets: readonly AnyTarget[],
  parts: { store: StoreReader; editions: Editions },
  scope: PlanScope,
  signal: AbortSignal,
): Promise<Plan> {
  const { desired, rows } = await parts.editions.prospect(parts.store, targets, scope.rows)
  const actions: PlannedAction[] = []
  const inputs: PlanInput[] = []
  const diffs: string[] = []
  const details: Plan['details'][number][] = []
  for (const target of targets) {
    const observation = await target.observe(signal)
    const input = { component: target.name, observed_at: observation.at }
    if (!observation.known) {
      inputs.push({ ...input, digest: null, detail: observation.detail })
      continue
    }
    inputs.push({ ...input, digest: observation.digest, detail: null })
    const wanted = desired.get(target)
    const released = await parts.editions.released(target)
    const differences = target.diff(wanted, observation.state)
    const heals = released !== null && target.diff(released.desired, observation.state).length > 0
    for (const { verb, item, before, after } of differences)
      actions.push({
        component: target.name,
        verb,
        item,
        before,
        after,
        reason: heals ? 'repair' : 'release',
      })
    if (differences.length === 0) continue
    const explained = target.explain({
      working: wanted,
      released: released?.desired ?? null,
      observed: observation.state,
      rows_moved: rows.length > 0,
    })
    details.push(...explained.differences.map((difference) => ({ component: target.name, ...difference })))
    if (explained.unified_diff !== null) diffs.push(explained.unified_diff)
  }
  return sealPlan({
    rows: plannedRows(rows, await parts.store.intent('released')),
    actions,
    details,
    unified_diff: diffs.length === 0 ? null : diffs.join('\n'),
    warnings: scope.warnings,
    inputs,
    complete: inputs.every((input) => input.digest !== null),
  })
}

function plannedRows(rows: readonly ReleaseRow[], released: Intent): readonly PlannedRow[] {
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  return rows.map(({ domain_id, row }) => {
    const old = before.get(domain_id)
    const domain = (row ?? old)?.fields.domain ?? `#${domain_id}`
    const wasLive = old?.live === true
    const change = row?.live === true ? (wasLive ? 'update' : 'add') : 'remove'
    return { domain_id, domain, change, revision: row?.revision ?? null }
  })
}
