/**
 * Applies a kept plan: exactly what it shows, or nothing. It is computed again first; when the world or the records have
 * moved, the difference between then and now is the answer.
 */
import type { CoreParts } from '../../../core/parts.ts'
import { digestOf } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import { Turns } from '../../../kernel/async/turns.ts'
import type { Plan } from '../../../model/plan.ts'
import type { DeploymentResult } from '../../../core/answers.ts'
import { failuresAudited } from '../../../core/audit/failed.ts'
import { commit, notWhole, refusal } from '../../../core/commit/commit.ts'
import type { Rehearsed } from '../../../core/commit/rehearse.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import { but } from '../../domains/editions/deploy-work.ts'
import { rehearsed } from './create.ts'
import { findPlan, planIn } from './kept.ts'
import { workOf } from './scope.ts'

export interface PlanDifference {
  /** Stood in the kept plan and does not now. */
  readonly gone: Pick<Plan, 'rows' | 'actions' | 'guards'>
  /** Stands in the plan as it is now and did not then. */
  readonly come: Pick<Plan, 'rows' | 'actions' | 'guards'>
}

export async function applyPlan(deps: Deps, id: string, caller: Caller): Promise<DeploymentResult> {
  const { scope, committed } = await TURNS.run(id, caller.signal, () => commitPlan(deps, id, caller))
  const { head, warnings, refused, renamed } = committed
  const result = but(committed.result, refused)
  const about =
    scope.kind === 'component'
      ? { action: 'reconcile', component: scope.component }
      : { action: 'deploy', ...(scope.kind === 'domain' && { domain_id: scope.domain_id }) }
  const component = scope.kind === 'component' ? { component: scope.component } : {}
  return failuresAudited(deps, { caller, ...about }, () =>
    deps.deploy({
      ...result,
      ...component,
      head,
      warnings,
      refused,
      renamed,
      direction: 'open',
      ...(scope.kind === 'domain' ? { about: 'one' } : scope.kind === 'records' ? {} : { about: 'every' }),
      progress: caller.progress,
    }),
  )
}

/** One at a time for each plan: a crowd does not compute it a thousand times, and whoever comes second finds it applied. */
const TURNS = new Turns()

async function commitPlan(deps: CoreParts, id: string, caller: Caller) {
  const kept = await applicable(deps, id)
  const { scope } = kept
  deps.engine.world.assertWhole()
  const { plan: now, values, held } = await planNow(deps, kept, caller)
  if (kept.complete && !now.complete) throw notLookedAt(now)
  if (now.hash !== kept.hash)
    throw new Failure(
      'conflict',
      'The plan is out of date, and nothing was done: the records or the world have changed since. Make a new one.',
      {
        facts: { difference: differenceOf(kept, now), plan_hash: now.hash },
      },
    )
  const work = workOf(deps, scope, caller)
  // In the words of the direct call.
  if (work.opens === 'one' && held.length > 0) throw await notWhole(deps, caller, held)
  if (!now.applyable) throw await refusal(deps, caller, now, now.guards)
  const committed = await commit(deps, { ...caller, dry_run: false }, work, {
    id,
    plan: now,
    values,
    held,
  })
  if (committed.planned) throw new Failure('internal', 'a plan that is applied cannot be a dry run')
  return { scope, committed }
}

/** That says nothing against the plan. */
function notLookedAt({ inputs }: Plan): Failure {
  const unread = inputs.find(({ digest }) => digest === null)
  const why = unread === undefined ? '' : ` ${unread.key}: ${unread.detail ?? 'it gave no answer'}`
  return new Failure(
    'component_unavailable',
    `Not all that the plan rests on could be looked at, so nothing was done. The plan stands: apply it again.${why}`,
  )
}

/** Throws `not_found`, or `conflict` for one that has expired or was applied. */
async function applicable(deps: CoreParts, id: string): Promise<Plan> {
  const stored = await findPlan(deps, id)
  if (stored.applied_release !== null)
    throw new Failure('conflict', `Plan ${id} is applied already, by release ${stored.applied_release}.`)
  if (deps.clock.now() >= stored.expires_at)
    throw new Failure('conflict', `Plan ${id} has expired: the look it rests on is too old. Make a new one.`)
  const plan = planIn(stored)
  if (plan.installation_id !== deps.store.installation_id)
    throw new Failure('conflict', `Plan ${id} was made by another installation.`)
  return plan
}

/** A plan whose record is gone or not active any more is out of date, not a fault of the caller's. */
async function planNow(deps: CoreParts, { scope }: Plan, caller: Caller): Promise<Rehearsed<unknown>> {
  try {
    return await rehearsed(deps, scope, caller)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found')
      throw new Failure('conflict', `The plan is out of date: ${error.message}`, { cause: error })
    throw error
  }
}

function differenceOf(then: Plan, now: Plan): PlanDifference {
  const only = <T>(a: readonly T[], b: readonly T[]): readonly T[] => {
    const known = new Set(b.map((item) => digestOf(item)))
    return a.filter((item) => !known.has(digestOf(item)))
  }
  const part = (a: Plan, b: Plan) => ({
    rows: only(a.rows, b.rows),
    actions: only(a.actions, b.actions),
    guards: only(a.guards, b.guards),
  })
  return { gone: part(then, now), come: part(now, then) }
}
