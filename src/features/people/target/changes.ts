/**
 * What the users file lacks of what the database says. Pure.
 *
 * | in the database         | in the file                 | then                                        |
 * |-------------------------|-----------------------------|---------------------------------------------|
 * | invited, hash at hand   | nobody                      | added                                       |
 * | invited, hash at hand   | the same with another hash  | somebody else's: left alone, and said       |
 * | invited, written before | nobody                      | added as it was last seen to be, with a     |
 * |                         |                             | password that nobody knows; disabled where  |
 * |                         |                             | nobody knows what was done to it since      |
 * | invited                 | other groups                | regrouped                                   |
 * | revoked                 | not disabled, whoever it is | disabled                                    |
 * | revoked                 | nobody                      | nothing                                     |
 * | nobody                  | anybody                     | nothing                                     |
 *
 * Nobody is ever enabled: who was disabled by hand stays so, also where the entry is lost afterwards. A revocation is of a name, by a person who gave that name:
 * it holds for whoever bears it in the file, so that no other hash in the file opens a way around it.
 */
import type { FileUser } from '../../../ports/users-file.ts'
import type { Person } from '../records.ts'

export type Change =
  | { readonly kind: 'add'; readonly person: Person }
  | { readonly kind: 'disable'; readonly person: Person }
  | { readonly kind: 'regroup'; readonly person: Person; readonly before: readonly string[] }

export interface Compared {
  readonly changes: readonly Change[]
  /** Names of invited people that somebody else's entry bears. */
  readonly taken: readonly string[]
}

export function compare(people: readonly Person[], users: ReadonlyMap<string, FileUser>): Compared {
  const changes: Change[] = []
  const taken: string[] = []
  for (const person of people) {
    const user = users.get(person.username)
    if (user !== undefined && isTaken(person, user)) taken.push(person.username)
    else changes.push(...changesOf(person, user))
  }
  return { changes, taken }
}

const isTaken = ({ password_hash, written_at, revoked_at }: Person, user: FileUser): boolean =>
  revoked_at === null && written_at === null && password_hash !== null && user.password !== password_hash

function changesOf(person: Person, user: FileUser | undefined): readonly Change[] {
  const revoked = person.revoked_at !== null
  if (user === undefined) return !revoked && isDue(person) ? [{ kind: 'add', person }] : []
  const disable: Change[] = revoked && !user.disabled ? [{ kind: 'disable', person }] : []
  const ours = !revoked || person.written_at !== null
  const same = !ours || person.groups === null || sameNames(person.groups, user.groups)
  return same ? disable : [...disable, { kind: 'regroup', person, before: user.groups }]
}

/** There is a hash to write, or there was one. */
const isDue = ({ password_hash, written_at }: Person): boolean =>
  password_hash !== null || written_at !== null

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  [...new Set(a)].sort().join('\n') === [...new Set(b)].sort().join('\n')
