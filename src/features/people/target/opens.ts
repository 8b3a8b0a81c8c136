/**
 * Whether the users file lets in more than the database says, judged by who may enter afterwards. Pure.
 *
 *   in the file                               lets in more
 *   revoked, and not disabled                 yes
 *   a group more                              yes: a rule may let it in, and a backend is told of it
 *   a group less                              where a rule refuses the group to somebody whom it lets in else; always where
 *                                             the rules are not ours to know
 *   disabled, whatever the groups             no
 *   nobody of that name                       no
 *   closed against ourselves, or open to      yes
 *     others by its mode
 *   a link, a pipe, a folder in its place     yes: what its reader finds there cannot be told
 */
import { OPENNESS, type Policy } from '../../../model/access/rule.ts'
import type { Difference } from '../../../engine/target.ts'
import type { Change } from './changes.ts'
import { isOfPeople, type PeopleDeed } from './diff.ts'
import type { PeopleSeen } from './seen.ts'

/** Of one name: the first entry that fits decides, and nobody else gets in. */
export interface SiteAccess {
  readonly access: readonly {
    readonly groups: readonly string[]
    readonly users: readonly string[]
    readonly policy: Policy
  }[]
}

/** By the name. */
export type SitesAccess = ReadonlyMap<string, SiteAccess>

/** @param policies null where the rules of the SSO provider are not ours */
export function opensPeople(
  seen: PeopleSeen,
  differences: readonly Difference<PeopleDeed>[],
  policies: SitesAccess | null,
): boolean {
  if (seen.access?.opens === true || seen.is_closed === true || seen.displaced !== undefined) return true
  return differences.filter(isOfPeople).some(({ payload }) => letsInMore(payload, seen, policies))
}

function letsInMore(change: Change, { users }: PeopleSeen, policies: SitesAccess | null): boolean {
  if (change.kind !== 'regroup') return change.kind === 'disable'
  const { person, before: theirs } = change
  const { username } = person
  if (users.get(username)?.disabled === true) return false
  const ours = person.groups ?? []
  if (theirs.some((group) => !ours.includes(group)) || policies === null) return true
  const [found, wanted] = [
    { username, groups: theirs },
    { username, groups: ours },
  ]
  return [...policies.values()].some(
    (policy) => OPENNESS[policyFor(found, policy)] > OPENNESS[policyFor(wanted, policy)],
  )
}

interface Somebody {
  readonly username: string
  readonly groups: readonly string[]
}

const policyFor = ({ username, groups }: Somebody, { access }: SiteAccess): Policy =>
  access.find((entry) => entry.users.includes(username) || entry.groups.some((one) => groups.includes(one)))
    ?.policy ?? 'deny'
