/** Two released editions side by side, as far as anyone outside can tell: rows that are not live are not there. */
import type { Intent, IntentRow } from '../../model/intent.ts'
import { type FieldChanges, fieldChanges } from '../../model/domain/field-changes.ts'

export interface NamedRow {
  readonly domain_id: number
  readonly domain: string
}

export interface ChangedRow extends NamedRow {
  readonly fields: FieldChanges
}

export interface EditionDiff {
  readonly added: readonly NamedRow[]
  readonly removed: readonly NamedRow[]
  readonly changed: readonly ChangedRow[]
}

/**
 * Pure. Rows are matched by record, and what is left by name: a record that was deleted and created anew then shows as
 * changed, in its `id` at least.
 */
export function diffEditions(before: Intent, after: Intent): EditionDiff {
  const old = liveRows(before)
  const young = liveRows(after)
  const left = leftOver(old, young)
  const added: NamedRow[] = []
  const changed: ChangedRow[] = []
  for (const row of young.values()) {
    const match = old.get(row.domain_id) ?? left.get(row.fields.domain)
    if (match === undefined) {
      added.push(named(row))
      continue
    }
    left.delete(match.fields.domain)
    const fields = changesBetween(match, row)
    if (Object.keys(fields).length > 0) changed.push({ ...named(row), fields })
  }
  return { added, removed: [...left.values()].map(named), changed }
}

const liveRows = ({ rows }: Intent): ReadonlyMap<number, IntentRow> =>
  new Map(rows.filter(({ live }) => live).map((row) => [row.domain_id, row]))

/** Rows of the one side whose record is not on the other, by name. */
const leftOver = (
  rows: ReadonlyMap<number, IntentRow>,
  others: ReadonlyMap<number, IntentRow>,
): Map<string, IntentRow> =>
  new Map(
    [...rows.values()].filter((row) => !others.has(row.domain_id)).map((row) => [row.fields.domain, row]),
  )

function changesBetween(before: IntentRow, after: IntentRow): FieldChanges {
  const fields = fieldChanges(before.fields, after.fields)
  return before.domain_id === after.domain_id
    ? fields
    : { id: { before: before.domain_id, after: after.domain_id }, ...fields }
}

const named = ({ domain_id, fields }: IntentRow): NamedRow => ({ domain_id, domain: fields.domain })
