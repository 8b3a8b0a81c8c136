/** The plan of a retry: what waits after a failure is tried at once, so that it is an action and stands in nobody's way. Pure. */
import { type Plan, sealPlan } from '../../../model/plan.ts'
import type { ManagedView } from '../view.ts'
import { CERTIFICATES } from './list.ts'

type Waiting = Pick<ManagedView, 'name' | 'retried'>

/** @param plan of the component, in which they wait */
export function retriedPlan(plan: Plan, views: readonly Waiting[]): Plan {
  const retried = views.flatMap(({ name, retried: would }) => (would === null ? [] : [{ name, ...would }]))
  if (retried.length === 0) return plan
  const waits = new Set(retried.map(({ waiting }) => waiting))
  const actions = retried.map(({ name, verb, before, after }) => ({
    component: CERTIFICATES,
    verb,
    item: name,
    before,
    after,
    reason: 'repair' as const,
    of_neighbour: false,
    needs: [],
  }))
  return sealPlan({
    ...plan,
    actions: [...plan.actions, ...actions],
    refused: plan.refused.filter(({ message }) => !waits.has(message)),
    warnings: plan.warnings.filter((warning) => !waits.has(warning)),
  })
}
