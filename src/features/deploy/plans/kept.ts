/** A plan that is kept under an id. It lives a quarter of an hour: a look that is older proves too little. */
import type { CoreParts } from '../../../core/parts.ts'
import { isoTime, type Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Plan, PlannedAction } from '../../../model/plan.ts'
import type { StoredPlan } from '../../../ports/records/trails.ts'

export const PLAN_LIFE_MS: Milliseconds = 15 * 60_000

export interface KeptPlan {
  readonly id: string
  readonly created_at: string
  readonly expires_at: string
  readonly actor: string
  /** The release that it was applied by, or null. */
  readonly applied_release: number | null
  readonly plan: Plan
}

export async function readPlan(deps: CoreParts, id: string): Promise<KeptPlan> {
  const stored = await findPlan(deps, id)
  return keptPlan(stored, planIn(stored))
}

/** As it is shown. */
export const keptPlan = (
  { id, created_at, expires_at, actor, applied_release }: Omit<StoredPlan, 'applied_at'>,
  plan: Plan,
): KeptPlan => ({
  id,
  created_at: isoTime(created_at),
  expires_at: isoTime(expires_at),
  actor,
  applied_release,
  plan,
})

type Older = Omit<Plan, 'refused' | 'left' | 'actions'> &
  Partial<Pick<Plan, 'refused' | 'left'>> & {
    readonly actions: readonly (Omit<PlannedAction, 'of_neighbour'> &
      Partial<Pick<PlannedAction, 'of_neighbour'>>)[]
  }

/** One that an older version kept says nothing of what it refused or left, nor of whose an action is. */
export function planIn({ body }: Pick<StoredPlan, 'body'>): Plan {
  const plan = JSON.parse(body) as Older
  const actions = plan.actions.map((action) => ({ of_neighbour: false, ...action }))
  return { ...plan, actions, refused: plan.refused ?? [], left: plan.left ?? [] }
}

export async function findPlan(deps: CoreParts, id: string): Promise<StoredPlan> {
  const stored = await deps.store.plan(id)
  if (stored === null)
    throw new Failure(
      'not_found',
      `There is no plan ${id} in this installation. Plans are forgotten a day after they expire.`,
    )
  return stored
}
