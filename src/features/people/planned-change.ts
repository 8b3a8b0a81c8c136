/** What the users file would see of a change of a person, for plans: never a hash. */
import type { Person } from './records.ts'
import type { Change } from '../../core/commit/change.ts'
import { PEOPLE } from './in-force.ts'

/** @param before null where the file does not know the person yet */
export function plannedChange(before: Person | null, after: Person): Change<unknown>['actions'] {
  const [from, to] = [before, after].map((person) => (person === null ? null : standing(person)))
  if (from === to) return []
  const verb = before === null ? 'create' : 'update'
  return [
    {
      component: PEOPLE,
      verb,
      item: `user ${after.username}`,
      before: from!,
      after: to!,
      reason: 'release',
    },
  ]
}

const standing = ({ revoked_at, groups }: Person): string =>
  revoked_at !== null ? 'disabled' : (groups ?? []).length === 0 ? 'in no group' : `in ${groups!.join(', ')}`
