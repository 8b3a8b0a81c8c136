/**
 * What is published for a name stays until its gateway reports: a release that takes its fixed address away, or renames it,
 * carries over what was published as if it had been reported. A row says so while it is on its way into the released edition,
 * so that a plan knows it too; the release itself keeps it with the reports.
 */
import { carriedOver } from '../../model/domain/address-sources.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'

/** The row as it enters the released edition in the place of `old`. */
export function carrying(row: IntentRow, old: IntentRow | undefined): IntentRow {
  const carried = row.live && old?.retired === false ? carriedOver(row.fields, old.fields) : null
  return carried === null ? row : { ...row, carried }
}

/** Saved rows that would carry something over if they were deployed now. */
export function carryingRows(working: Intent, released: Intent): readonly IntentRow[] {
  // Few have an address that could be carried over, and editions may be large.
  const before = new Map(
    released.rows
      .filter(({ fields }) => fields.static_ip !== null || fields.ddns_enabled)
      .map((row) => [row.domain_id, row]),
  )
  if (before.size === 0) return []
  return working.rows
    .map((row) => carrying(row, before.get(row.domain_id)))
    .filter(({ carried }) => carried !== undefined)
}
