/** The rows of a plan: what a release moves, each with what is other than it was released. Pure. */
import { digestOf } from '../../kernel/digest.ts'
import { fieldChanges } from '../../model/domain/field-changes.ts'
import type { Intent } from '../../model/intent.ts'
import type { GuardHit, Plan, PlannedRow } from '../../model/plan.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import { movedRows } from './editions.ts'

export function plannedRows(rows: readonly ReleaseRow[], released: Intent): readonly PlannedRow[] {
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  return movedRows(rows, released).map(({ domain_id, row }) => {
    const old = before.get(domain_id)
    const domain = (row ?? old)?.fields.domain ?? `#${domain_id}`
    const wasLive = old?.live === true
    const change = row?.live === true ? (wasLive ? 'update' : 'add') : 'remove'
    const served = wasLive ? old.fields.domain : domain
    return {
      domain_id,
      domain,
      change,
      revision: row?.revision ?? null,
      ...(served !== domain && { renamed_from: served }),
      ...(change === 'update' && { fields: fieldChanges(old!.fields, row!.fields) }),
    }
  })
}

interface Moving {
  readonly release: readonly ReleaseRow[] | null
  readonly guards?: readonly GuardHit[]
}

/** Whether a change moves the rows of the plan, and meets no guard that the plan does not tell of, with its figures. */
export function isAsPlanned(plan: Plan, { release, guards = [] }: Moving, released: Intent): boolean {
  const known = new Set(plan.guards.map(({ message }) => message))
  const is_known = guards.every(({ message }) => known.has(message))
  return is_known && digestOf(plannedRows(release ?? [], released)) === digestOf(plan.rows)
}
