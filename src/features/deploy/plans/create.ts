/** Makes a plan and keeps it, so that it can be read, shown to others, and applied exactly as it is. */
import type { CoreParts } from '../../../core/parts.ts'
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../kernel/clock.ts'
import type { Plan, PlanScope } from '../../../model/plan.ts'
import type { NewPlan } from '../../../ports/records/trails.ts'
import { rehearse, type Rehearsed } from '../../../core/commit/rehearse.ts'
import type { Caller } from '../../../core/caller.ts'
import { keptPlan, type KeptPlan, PLAN_LIFE_MS } from './kept.ts'
import { assertComponent, workOf } from './scope.ts'

/** Plans that expired this long ago are forgotten. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000

export async function createPlan(deps: CoreParts, scope: PlanScope, caller: Caller): Promise<KeptPlan> {
  if (scope.kind === 'component') assertComponent(deps, scope.component)
  const { plan } = await rehearsed(deps, scope, caller)
  const created_at = deps.clock.now()
  const made = newPlan(plan, scope, { created_at, caller })
  await deps.store.write(async (tx) => {
    await tx.forgetPlans(created_at - FORGOTTEN_AFTER_MS)
    await tx.savePlan(made)
  })
  return keptPlan({ ...made, applied_release: null }, plan)
}

interface Making {
  readonly created_at: Instant
  readonly caller: Caller
}

const newPlan = (plan: Plan, scope: PlanScope, { created_at, caller: { actor } }: Making): NewPlan => ({
  id: randomUUID(),
  created_at,
  expires_at: created_at + PLAN_LIFE_MS,
  actor: actor.name,
  request_id: actor.request_id,
  scope: JSON.stringify(scope),
  hash: plan.hash,
  body: JSON.stringify(plan),
})

/** As it is now. */
export const rehearsed = (deps: CoreParts, scope: PlanScope, caller: Caller): Promise<Rehearsed<unknown>> =>
  rehearse(deps, caller, workOf(deps, scope, caller), scope)

/** The plan as it is now. */
export const planOf = async (deps: CoreParts, scope: PlanScope, caller: Caller): Promise<Plan> =>
  (await rehearsed(deps, scope, caller)).plan
