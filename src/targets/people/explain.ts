/** Why the users file differs from the database, for people. The file's text is not shown: it holds password hashes. */
import type { Explanation, Sides } from '../../engine/target.ts'
import type { DriftCause } from '../../model/drift.ts'
import type { UsersDocuments } from '../../ports/users-file.ts'
import type { Change } from './changes.ts'
import type { PeopleDesired } from './desire.ts'
import { judge } from './diff.ts'
import type { PeopleSeen } from './seen.ts'

export function explainPeople(
  { observed }: Sides<PeopleDesired, PeopleSeen>,
  path: string,
  documents: UsersDocuments,
): Explanation {
  const { differences, obstacles } = judge(observed, path, documents)
  const told = differences.map(({ item, payload }) => ({
    item,
    cause: causeOf(payload),
    domains: [],
    detail: DETAILS[payload.kind],
  }))
  const hindered = obstacles.map(({ item, failure }) => ({
    item,
    cause: failure.code === 'foreign_owner' ? ('foreign_owner' as const) : ('edited' as const),
    domains: [],
    detail: failure.message,
  }))
  const all = [...told, ...hindered]
  const note = all.length === 0 ? null : 'The users file holds password hashes, so its text is not shown.'
  return { differences: all, unified_diff: null, note }
}

const causeOf = ({ kind, person }: Change): DriftCause => {
  if (kind !== 'add') return person.written_at === null ? 'pending_deploy' : 'edited'
  return person.written_at === null ? 'pending_deploy' : 'lost'
}

const DETAILS: Readonly<Record<Change['kind'], string>> = {
  add: 'The file does not know the user.',
  disable: 'The user was revoked, and the file lets him in.',
  regroup: 'The file has other groups for the user.',
}
