/** Live records that get another name. */
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'

/** A live row before and after its release. */
export interface Renamed {
  readonly before: IntentRow
  readonly after: IntentRow
}

/** Live records whose name these rows move. */
export function renamedBy(rows: readonly ReleaseRow[], { rows: released }: Intent): readonly Renamed[] {
  const live = new Map(released.flatMap((row) => (row.live ? [[row.domain_id, row] as const] : [])))
  return rows.flatMap(({ domain_id, row: after }) => {
    const before = live.get(domain_id)
    const is_renamed =
      after?.live === true && before !== undefined && before.fields.domain !== after.fields.domain
    return is_renamed ? [{ before, after }] : []
  })
}
