/** How one record stood in an earlier release, against the present one. Pure. */
import type { AuditEntry, Release, ReleaseDiff } from '../../api/types.ts'
import { parseTime } from '../ages.ts'
import { fieldName, fieldValue } from '../words.ts'

type Diff = Pick<ReleaseDiff, 'added' | 'removed' | 'changed'>

/** @param diff from the earlier release to the present one @return null where the record is the same in both */
export function thenText({ added, removed, changed }: Diff, id: number): string | null {
  if (added.some(({ domain_id }) => domain_id === id)) return 'not live then'
  if (removed.some(({ domain_id }) => domain_id === id)) return 'live then'
  const fields = Object.entries(changed.find(({ domain_id }) => domain_id === id)?.fields ?? {})
  if (fields.length === 0) return null
  return fields.map(([field, { before }]) => `${fieldName(field)} ${fieldValue(field, before)}`).join(', ')
}

/** The newest release in which the record stood otherwise and was live; null while none is known. */
export const firstOther = (then: ReadonlyMap<number, string | null>): number | null =>
  [...then].find(([, text]) => text !== null && text !== 'not live then')?.[0] ?? null

interface MovedBy {
  readonly number: number
  /** The release before it. */
  readonly against: number
  /** How the record stood there, as `thenText` says it. */
  readonly before: string
}

/** @param numbers of releases, the newest first @param then of those that are compared, against the newest */
export function movedBy(
  numbers: readonly number[],
  then: ReadonlyMap<number, string | null>,
): readonly MovedBy[] {
  return numbers.flatMap((number, at) => {
    const against = numbers[at + 1]
    if (against === undefined || !then.has(against)) return []
    const own = at === 0 ? null : then.get(number)
    const before = then.get(against) ?? null
    return own === before ? [] : [{ number, against, before: before ?? 'as it is now' }]
  })
}

/** The release that stood before an entry was made; null where there was none. The newest comes first. */
export const releaseBefore = (
  { at }: Pick<AuditEntry, 'at'>,
  releases: readonly Pick<Release, 'number' | 'created_at'>[],
): number | null => releases.find(({ created_at }) => parseTime(created_at) < parseTime(at))?.number ?? null
