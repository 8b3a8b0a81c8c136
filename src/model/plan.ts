/**
 * A plan: what a change would do before it does it. It is computed from one look at the world, so it is only as true as
 * its inputs; `hash` names the whole and changes when anything in it does.
 */
import type { Instant } from '../kernel/clock.ts'
import { digestOf } from '../kernel/digest.ts'
import type { DriftCause } from './drift.ts'

/** Why an action is in the plan. */
export type ActionReason = 'release' | 'repair'

export interface PlannedAction {
  readonly component: string
  readonly verb: 'create' | 'update' | 'delete'
  readonly item: string
  readonly before: string | null
  readonly after: string | null
  readonly reason: ActionReason
}

/** A record that the plan moves from the working to the released edition, or out of it. */
export interface PlannedRow {
  readonly domain_id: number
  readonly domain: string
  readonly change: 'add' | 'update' | 'remove'
  readonly revision: number | null
}

/** One look that the plan rests on. `digest` is null when the look failed. */
export interface PlanInput {
  readonly component: string
  readonly digest: string | null
  readonly detail: string | null
  readonly observed_at: Instant
}

export interface PlannedDifference {
  readonly component: string
  readonly item: string
  readonly cause: DriftCause
  readonly domains: readonly string[]
  readonly detail: string
}

export interface Plan {
  readonly rows: readonly PlannedRow[]
  readonly actions: readonly PlannedAction[]
  readonly details: readonly PlannedDifference[]
  readonly unified_diff: string | null
  readonly warnings: readonly string[]
  readonly inputs: readonly PlanInput[]
  /** False when a look failed: what that component needs is not known. */
  readonly complete: boolean
  readonly hash: string
}

/** Names a plan by what it would do, not by when it was made. */
export function sealPlan(plan: Omit<Plan, 'hash'>): Plan {
  const { rows, actions, complete } = plan
  const inputs = plan.inputs.map(({ component, digest }) => ({ component, digest }))
  return { ...plan, hash: digestOf({ rows, actions, complete, inputs }) }
}
