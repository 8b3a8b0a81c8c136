/** From what the users file lacks to differences with their edits, and what only a person can move out of the way. Pure. */
import type { Difference, Obstacle } from '../../../engine/target.ts'
import type { FailureCode } from '../../../kernel/failure.ts'
import { refusedWords, type UserEdit, type UsersDocuments } from '../../../ports/users-file.ts'
import { type Change, compare } from './changes.ts'
import type { PeopleSeen } from './seen.ts'

/** The bytes stay as they are. */
export interface ModeChange {
  readonly kind: 'mode'
}
/** Something else stands in the place of the file. */
export interface PlaceChange {
  readonly kind: 'place'
}
/** The same people in a spelling that the provider reads. */
export interface SpellingChange {
  readonly kind: 'spelling'
}
export type FileChange = ModeChange | PlaceChange | SpellingChange
export type PeopleChange = Change | FileChange

const OF_FILE: readonly PeopleChange['kind'][] = ['mode', 'place', 'spelling']

export const isOfPeople = (difference: Difference<PeopleChange>): difference is Difference<Change> =>
  !OF_FILE.includes(difference.payload.kind)

export interface Evaluation {
  /** What is wrong with the file itself, whoever is in it. */
  readonly file: readonly Difference<FileChange>[]
  readonly differences: readonly Difference<Change>[]
  readonly obstacles: readonly Obstacle[]
}

const itemOf = (username: string): string => `user ${username}`

/** Stands for the hash of somebody who gets a new one when they are written. */
const NEW_HASH = `$argon2id$v=19$m=65536,t=3,p=4$${'A'.repeat(22)}$${'A'.repeat(43)}`

export function editOf({ kind, person }: Change, new_hash: string = NEW_HASH): UserEdit {
  const { username, display_name, email, groups, password_hash, disabled } = person
  switch (kind) {
    case 'disable':
      return { kind, username }
    case 'regroup':
      return { kind, username, groups: groups ?? [] }
    case 'add':
      return {
        kind,
        username,
        display_name,
        email,
        groups: groups ?? [],
        password_hash: password_hash ?? new_hash,
        disabled: disabled ?? true,
      }
  }
}

/** Differences and obstacles of one look are asked for one after the other. */
const evaluations = new WeakMap<PeopleSeen, Evaluation>()

export function evaluate(seen: PeopleSeen, path: string, documents: UsersDocuments): Evaluation {
  const known = evaluations.get(seen)
  if (known !== undefined) return known
  const evaluation = evaluateOnce(seen, path, documents)
  evaluations.set(seen, evaluation)
  return evaluation
}

function evaluateOnce(seen: PeopleSeen, path: string, documents: UsersDocuments): Evaluation {
  const file = fileDifferences(seen, path)
  if (seen.is_closed === true) return { file, differences: [], obstacles: [] }
  const { changes, taken } = compare(seen.people, seen.users)
  const names = taken.map((username) =>
    obstacle(username, 'foreign_owner', `${path} has a user ${username} who is not ours and is left alone.`),
  )
  const is_none = seen.digest === null && seen.displaced === undefined
  const fault = is_none ? undefined : seen.faults.find(({ username }) => username !== null)
  const barred = fault === undefined ? [] : changes.filter(({ kind }) => kind !== 'disable')
  const why = fault === undefined ? '' : refusedWords(path, fault)
  // Whoever is disabled in such a file is not disabled for the provider, so it is no clean one, whatever is to be changed.
  const broken = fault === undefined || barred.length > 0 ? [] : [obstacle(fault.username!, 'conflict', why)]
  const closed = barred.map(({ person }) => obstacle(person.username, 'conflict', why))
  const open = changes.filter((change) => !barred.includes(change))
  const { fit, unfit } = sorted(open, seen, documents)
  const stuck = unfit.map(({ change, msg }) =>
    obstacle(change.person.username, 'conflict', `${path}: the entry of ${change.person.username} ${msg}.`),
  )
  const shut = seen.shut_in === undefined ? [] : [shutIn(path, seen.shut_in)]
  return {
    file,
    differences: fit.map((change) => difference(change)),
    obstacles: [...shut, ...broken, ...names, ...closed, ...stuck],
  }
}

function fileDifferences(seen: PeopleSeen, path: string): readonly Difference<FileChange>[] {
  // What is put back in its place gets its mode and its spelling with it.
  if (seen.displaced !== undefined) return [replacing(seen.displaced, path)]
  const of_mode = modeDifference(seen, path)
  return [...(of_mode === null ? [] : [of_mode]), ...(seen.is_misspelt === true ? [respelling(path)] : [])]
}

const replacing = (displaced: string, path: string): Difference<PlaceChange> => ({
  key: 'people:place',
  item: path,
  verb: 'update',
  before: `a ${displaced}`,
  after: 'the file as it was last seen',
  payload: { kind: 'place' },
})

function modeDifference({ access, is_closed }: PeopleSeen, path: string): Difference<ModeChange> | null {
  const wrong = is_closed === true ? 'cannot be read by its owner' : access?.what
  if (wrong === undefined) return null
  return {
    key: 'people:mode',
    item: path,
    verb: 'update',
    before: wrong,
    after: 'its own mode',
    payload: { kind: 'mode' },
  }
}

const respelling = (path: string): Difference<SpellingChange> => ({
  key: 'people:spelling',
  item: path,
  verb: 'update',
  before: 'spells characters in a way for which its provider refuses the whole file',
  after: 'the same in a spelling that its provider reads',
  payload: { kind: 'spelling' },
})

/** A folder may hold other things, too, so it is left alone. */
const shutIn = (path: string, why: string): Obstacle => ({
  item: path,
  domain_ids: [],
  failure: {
    code: 'conflict',
    message: `The SSO provider does not get to ${path}: ${why}`,
    retry_after_ms: 0,
  },
})

interface Sorted {
  readonly fit: readonly Change[]
  readonly unfit: readonly { readonly change: Change; readonly msg: string }[]
}

/** All together as a rule; one by one only where something stands in the way. */
function sorted(changes: readonly Change[], { text }: PeopleSeen, documents: UsersDocuments): Sorted {
  if (changes.length === 0) return { fit: [], unfit: [] }
  const whole = documents.edit(
    text,
    changes.map((change) => editOf(change)),
  )
  if (whole.ok) return { fit: changes, unfit: [] }
  const tried = changes.map((change) => ({ change, edited: documents.edit(text, [editOf(change)]) }))
  return {
    fit: tried.filter(({ edited }) => edited.ok).map(({ change }) => change),
    unfit: tried.flatMap(({ change, edited }) => (edited.ok ? [] : [{ change, msg: edited.msg }])),
  }
}

const obstacle = (username: string, code: FailureCode, message: string): Obstacle => ({
  item: itemOf(username),
  domain_ids: [],
  failure: { code, message, retry_after_ms: 0 },
})

function difference(change: Change): Difference<Change> {
  const { kind, person } = change
  const texts = {
    add: {
      verb: 'create',
      before: null,
      after: `${groupsText(person.groups)}${person.disabled === false ? '' : ', disabled'}`,
    },
    disable: { verb: 'update', before: 'enabled', after: 'disabled' },
    regroup: {
      verb: 'update',
      before: groupsText(kind === 'regroup' ? change.before : null),
      after: groupsText(person.groups),
    },
  } as const
  return {
    key: `people:${person.username}:${kind}`,
    item: itemOf(person.username),
    ...texts[kind],
    payload: change,
  }
}

const groupsText = (groups: readonly string[] | null): string =>
  groups === null || groups.length === 0 ? 'in no group' : `in ${groups.join(', ')}`
