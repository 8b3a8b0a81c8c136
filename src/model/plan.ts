/**
 * A plan: what a change would do before it does it. It is computed from one look at the world, so it is only as true as
 * its inputs; `hash` names what it would do and save, its refusals by their codes, its guards by their rules, and what it was
 * computed from. Words, texts of differences and times are not in it.
 */
import type { Instant } from '../kernel/clock.ts'
import { digestOf } from '../kernel/digest.ts'
import type { FailureCode } from '../kernel/failure.ts'
import type { FieldChanges } from './domain/field-changes.ts'
import type { DriftCause } from './drift.ts'
import type { Mode } from './mode.ts'

/** What a plan is about: everything that is saved, one record, or the repair of one component. */
export type PlanScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'domain'; readonly domain_id: number }
  | { readonly kind: 'component'; readonly component: string }
  | RecordsScope
  /** A change that one call makes, such as a deactivation: planned and applied in the same breath. */
  | { readonly kind: 'call' }

/** Several records as they are saved, changes that are not saved yet, and new records: saved and deployed in one transaction. */
export interface RecordsScope {
  readonly kind: 'records'
  readonly domain_ids: readonly number[]
  readonly edits: readonly PlannedEdit[]
  /** Fields of each. */
  readonly create: readonly Readonly<Record<string, unknown>>[]
}

export interface PlannedEdit {
  readonly id: number
  /** That the caller has seen. */
  readonly revision: number
  readonly set: Readonly<Record<string, unknown>>
}

/** Why an action is in the plan: a release asks for it, or it undoes what somebody else did. */
export type ActionReason = 'release' | 'repair'

export interface PlannedAction {
  readonly component: string
  readonly verb: 'create' | 'update' | 'delete'
  readonly item: string
  readonly before: string | null
  readonly after: string | null
  readonly reason: ActionReason
  /** It is done along with the call, though it is none of the records' that the call is about. */
  readonly of_neighbour: boolean
  /** Components whose actions come first. */
  readonly needs: readonly string[]
}

/** A record that the plan moves from the working to the released edition, or out of it. */
export interface PlannedRow {
  readonly domain_id: number
  readonly domain: string
  readonly change: 'add' | 'update' | 'remove'
  readonly revision: number | null
  /** The name under which it is served until then; left out where that is its name. */
  readonly renamed_from?: string | undefined
  /** Of an update: what is other than it was released. */
  readonly fields?: FieldChanges | undefined
}

/** One look that the plan rests on. `digest` is null when the look failed. */
export interface PlanInput {
  readonly component: string
  /** What of the component was looked at: a component may have several keys. */
  readonly key: string
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

/** A record that is left as it is: it cannot be carried out whole. */
export interface RefusedRow {
  readonly domain_id: number
  readonly domain: string
  readonly code: FailureCode
  readonly message: string
}

/** A record is told of once, by its first reason: a name that went back is refused by its zone as well. */
export const eachRefusedOnce = (rows: readonly RefusedRow[]): readonly RefusedRow[] =>
  [...new Map(rows.toReversed().map((row) => [row.domain_id, row])).values()].toReversed()

/** What a component's mode keeps from being done there, whoever asks: it is other than the plan asks for, and stays so. */
export interface LeftByMode {
  readonly component: string
  readonly key: string
  readonly mode: Mode
  readonly reason: string
  /** When the mode ends by itself; null for never. */
  readonly until: Instant | null
  /** What would be done there otherwise, and what only a person can move. */
  readonly differences: number
}

/** A rule that stands in the way: which, with its figures, and what would lift it. */
export interface GuardHit {
  readonly rule: GuardRule
  readonly message: string
  /** True when typing back the plan's hash lifts it. */
  readonly confirmable: boolean
}

export const GUARD_RULES = [
  'incomplete_read',
  'emptied_edition',
  'bulk_removal',
  'protected_name',
  'not_ours',
  'not_whole',
  'stale_release',
  'contested',
  'restored_from_backup',
  'outranks_protection',
  'weaker_policy',
] as const
export type GuardRule = (typeof GUARD_RULES)[number]

export interface Plan {
  /** Plans of another installation have another hash, whatever they would do. */
  readonly installation_id: string
  readonly scope: PlanScope
  /** The release that the plan starts from; 0 before the first. */
  readonly base_release: number
  readonly rows: readonly PlannedRow[]
  readonly actions: readonly PlannedAction[]
  readonly details: readonly PlannedDifference[]
  readonly unified_diff: string | null
  readonly warnings: readonly string[]
  readonly inputs: readonly PlanInput[]
  readonly guards: readonly GuardHit[]
  /** What stays as it is while the rest is carried out. */
  readonly refused: readonly RefusedRow[]
  /** What differs and is no action, because of a mode. */
  readonly left: readonly LeftByMode[]
  /** False when a look failed: what that component needs is not known. */
  readonly complete: boolean
  /** True when no guard stands in the way, or only such as a typed-back hash lifts. */
  readonly applyable: boolean
  /**
   * SHA-256 over the canonical JSON of what it would do, every value that it would save, and what it rests on, times left out. The same for a plan that is kept and
   * for the call that does it, so that either is confirmed by what the other says.
   */
  readonly hash: string
}

/** @param values digest of all that would be saved and of what becomes of records, also what nothing outside has and no row names */
export function sealPlan(plan: Omit<Plan, 'hash' | 'applyable'>, values: string | null = null): Plan {
  const { installation_id, scope, base_release, rows, actions, guards, refused, complete } = plan
  const inputs = plan.inputs.map(({ key, digest }) => ({ key, digest }))
  const rules = guards.map(({ rule }) => rule)
  const left = refused.map(({ domain_id, code }) => ({ domain_id, code }))
  const saves = unsavedIn(scope)
  const what = { installation_id, saves, values, base_release, rows, actions, rules, refused: left }
  const hash = digestOf({ ...what, complete, inputs })
  return { ...plan, applyable: guards.every(({ confirmable }) => confirmable), hash }
}

/** What only the scope says of a plan: values that nobody has saved. Else it says no more than which records the rows name. */
const unsavedIn = (scope: PlanScope): Pick<RecordsScope, 'edits' | 'create'> | null =>
  scope.kind === 'records' && scope.edits.length + scope.create.length > 0
    ? { edits: scope.edits, create: scope.create }
    : null

/**
 * True when nothing is asked for: applying it would change neither a row nor the world, and nothing is refused. That all
 * is as the plan asks for it says only one that leaves nothing, too.
 */
export const isEmptyPlan = ({
  rows,
  actions,
  refused,
}: Pick<Plan, 'rows' | 'actions' | 'refused'>): boolean => rows.length + actions.length + refused.length === 0
