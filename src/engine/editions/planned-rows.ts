/** The rows of a plan: what a release moves, each with what is other than it was released. Pure. */
import { digestOf } from '../../kernel/digest.ts'
import type { Became } from '../../model/domain/became.ts'
import { fieldChanges } from '../../model/domain/field-changes.ts'
import { type DomainFields, fieldsOf } from '../../model/domain/record.ts'
import type { Intent } from '../../model/intent.ts'
import type { GuardHit, Plan, PlannedRow } from '../../model/plan.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import type { ModeSetting } from '../../ports/store.ts'
import { movedRows } from './editions.ts'

export function plannedRows(rows: readonly ReleaseRow[], released: Intent): readonly PlannedRow[] {
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  return movedRows(rows, released).map(({ domain_id, row }) => {
    const old = before.get(domain_id)
    // What stands on neither side does not move.
    const { domain } = (row ?? old)!.fields
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

/**
 * Digest of the fields of all that is released or only saved, with those that nothing outside has, such as a note, and of what
 * else comes of it. That is left out where there is none of it: a plan that was kept before it was known of holds on.
 */
export const valuesOf = ({ release, saves = [], becomes = [], mode, does }: Moving): string =>
  digestOf({
    release: (release ?? []).map(({ domain_id, row }) =>
      row === null ? { domain_id } : { live: row.live, fields: fieldsOf(row.fields) },
    ),
    saves: saves.map(fieldsOf),
    ...(becomes.length > 0 && { becomes }),
    ...(mode !== undefined && { mode: modeValues(mode) }),
    ...(does !== undefined && { does }),
  })

/** Without times: an end is said as so long from now, and is another one with every call. */
const modeValues = ({ scope, mode, reason, expires_at, below = [] }: ModeSetting) => ({
  scope,
  mode,
  reason,
  ends: expires_at !== null,
  below: below.map((one) => one.mode),
})

interface Moving {
  readonly release: readonly ReleaseRow[] | null
  readonly guards?: readonly GuardHit[]
  readonly saves?: readonly DomainFields[]
  readonly becomes?: readonly Became[]
  readonly mode?: ModeSetting | undefined
  readonly does?: Readonly<Record<string, unknown>>
}

/** What a plan was made of, and the values that it would save. */
interface PlannedValues {
  readonly plan: Plan
  readonly values: string
}

/** Whether a change moves the rows of the plan, saves its values, and meets no guard that the plan does not tell of, with its figures. */
export function isAsPlanned({ plan, values }: PlannedValues, change: Moving, released: Intent): boolean {
  const { release, guards = [] } = change
  const known = new Set(plan.guards.map(({ message }) => message))
  const is_known = guards.every(({ message }) => known.has(message))
  return (
    is_known &&
    valuesOf(change) === values &&
    digestOf(plannedRows(release ?? [], released)) === digestOf(plan.rows)
  )
}
