/**
 * Where a link stands in the place of the users file, its provider reads what the link leads to. What was last seen is put back
 * only where nobody gets in by that who does not get in now: somebody may have been taken out of the file behind the link. Pure.
 *
 *   behind the link                                       then
 *   somebody more, or somebody with a group more          put back: the link lets them in
 *   else somebody less who is not ours, somebody          left, and told with the names
 *     disabled, or somebody with a group less
 *   the same people; nothing that can be read             put back
 */
import type { Person } from '../records.ts'
import type { FileUser } from '../../../ports/users-file.ts'

type Users = ReadonlyMap<string, FileUser>

/** Whom putting back would let in again. */
export function lackedBehind(behind: Users, before: Users, people: readonly Person[]): readonly string[] {
  if ([...behind].some(([username, user]) => isMore(user, before.get(username)))) return []
  const ours = new Map(people.map((person) => [person.username, person]))
  return [...before]
    .filter(([username, user]) => isLess(behind.get(username), user, ours.get(username)))
    .map(([username]) => username)
}

const isMore = (now: FileUser, before: FileUser | undefined): boolean =>
  !now.disabled &&
  (before === undefined || before.disabled || now.groups.some((group) => !before.groups.includes(group)))

/**
 * Of ours the database says whether they are to be there, and in which groups; nobody is ever enabled by it, and who was revoked
 * is disabled in what is put back.
 */
function isLess(now: FileUser | undefined, before: FileUser, ours: Person | undefined): boolean {
  if (before.disabled || (ours !== undefined && ours.revoked_at !== null)) return false
  if (now === undefined) return ours === undefined
  if (now.disabled) return true
  const has_groups = ours !== undefined && ours.groups !== null
  return !has_groups && before.groups.some((group) => !now.groups.includes(group))
}
