/** Live records that get another name. */
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'

/** A live row before and after its release. */
export interface Renamed {
  readonly before: IntentRow
  readonly after: IntentRow
}

/** Live records whose name these rows move. */
export const renamedBy = (rows: readonly ReleaseRow[], { rows: released }: Intent): readonly Renamed[] =>
  rows.flatMap(({ domain_id, row: after }) => {
    const before = released.find((one) => one.domain_id === domain_id && one.live)
    const is_renamed =
      after?.live === true && before !== undefined && before.fields.domain !== after.fields.domain
    return is_renamed ? [{ before, after }] : []
  })
