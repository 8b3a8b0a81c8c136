/** Why the users file differs from the database, for people. The file's text is not shown: it holds password hashes. */
import type { Constant } from '../../../engine/constant.ts'
import type { Difference, Explanation, Sides } from '../../../engine/target.ts'
import type { FailureCode } from '../../../kernel/failure.ts'
import type { DriftCause } from '../../../model/drift.ts'
import type { UsersDocuments } from '../../../ports/users-file.ts'
import type { Change } from './changes.ts'
import { type FileChange, evaluate } from './diff.ts'
import type { PeopleSeen } from './seen.ts'

export function explainPeople(
  { observed }: Sides<Constant, PeopleSeen>,
  path: string,
  documents: UsersDocuments,
): Explanation {
  const { file, differences, obstacles } = evaluate(observed, path, documents)
  const of_file = file.map((one) => ({ item: path, domains: [], ...ofFile(one) }))
  const reported = differences.map(({ item, payload }) => ({
    item,
    cause: causeOf(payload),
    domains: [],
    detail: isUnseen(payload) ? UNSEEN : DETAILS[payload.kind],
  }))
  const hindered = obstacles.map(({ item, failure }) => ({
    item,
    cause: causeOfObstacle(failure.code, item === path),
    domains: [],
    detail: failure.message,
  }))
  const all = [...of_file, ...reported, ...hindered]
  const note = all.length === 0 ? null : 'The users file holds password hashes, so its text is not shown.'
  return { differences: all, unified_diff: null, note }
}

function ofFile({ before, payload }: Difference<FileChange>): { cause: DriftCause; detail: string } {
  switch (payload.kind) {
    case 'mode':
      return { cause: 'access', detail: `the file ${before}` }
    case 'place':
      return { cause: 'edited', detail: `${before} stands in the place of the file; nobody follows it` }
    case 'spelling':
      return { cause: 'renderer_changed', detail: `The file ${before}.` }
  }
}

const causeOfObstacle = (code: FailureCode, is_file: boolean): DriftCause => {
  if (is_file) return 'access'
  return code === 'foreign_owner' ? 'foreign_owner' : 'edited'
}

const causeOf = ({ kind, person }: Change): DriftCause => {
  if (kind !== 'add') return person.written_at === null ? 'pending_deploy' : 'edited'
  return person.written_at === null ? 'pending_deploy' : 'lost'
}

const isUnseen = ({ kind, person }: Change): boolean =>
  kind === 'add' && person.written_at !== null && person.disabled === null

const UNSEEN =
  'The file does not know the user, and nobody saw what was done to the entry before: they come back disabled.'

const DETAILS: Readonly<Record<Change['kind'], string>> = {
  add: 'The file does not know the user.',
  disable: 'The user was revoked, and the file lets them in.',
  regroup: 'The file has other groups for the user.',
}
