/** What the users file lacks of what the database says, case by case. */
import { expect, it } from 'vitest'
import type { FileUser } from '../../../../src/ports/users-file.ts'
import type { Person } from '../../../../src/features/people/records.ts'
import { compare } from '../../../../src/features/people/target/changes.ts'
import { editOf } from '../../../../src/features/people/target/diff.ts'

const JO: Person = {
  username: 'jo',
  origin: 'invited',
  display_name: 'Jo',
  email: 'jo@example.net',
  groups: ['a'],
  revoked_at: null,
  password_hash: null,
  written_at: 5,
  disabled: false,
  created_at: 1,
  updated_at: 1,
}
const IN_FILE: FileUser = {
  password: 'h',
  display_name: 'Jo',
  email: 'jo@example.net',
  groups: ['a'],
  disabled: false,
}
const NEW = { password_hash: 'h', written_at: null }
const REVOKED = { revoked_at: 9 }

it.each<[string, Partial<Person>, Partial<FileUser> | null, readonly string[], readonly string[]]>([
  ['agrees', {}, {}, [], []],
  ['is not hashed yet', { written_at: null }, null, [], []],
  ['is hashed and not in the file', NEW, null, ['add'], []],
  ['is there with our hash and not noted yet', NEW, {}, [], []],
  ['bears a name that came in meanwhile', NEW, { password: 'other' }, [], ['jo']],
  ['set a password of their own', {}, { password: 'own' }, [], []],
  ['was lost', {}, null, ['add'], []],
  ['has other groups', {}, { groups: ['a', 'admins'] }, ['regroup'], []],
  ['has the groups in another order', { groups: ['a', 'b'] }, { groups: ['b', 'a', 'a'] }, [], []],
  ['was disabled by hand', {}, { disabled: true }, [], []],
  ['is revoked and let in', REVOKED, {}, ['disable'], []],
  ['is revoked and disabled', REVOKED, { disabled: true }, [], []],
  ['is revoked and not there', REVOKED, null, [], []],
  ['is revoked before the file had them', { ...REVOKED, ...NEW }, null, [], []],
  [
    'is revoked, noted as not written, and let in with another hash',
    { ...REVOKED, ...NEW },
    { password: 'x' },
    ['disable'],
    [],
  ],
  [
    'is revoked, was never written, and bears a stranger’s groups',
    { ...REVOKED, ...NEW },
    { groups: ['x'] },
    ['disable'],
    [],
  ],
  ['is revoked, let in and in other groups', REVOKED, { groups: [] }, ['disable', 'regroup'], []],
  [
    'was there before us, with groups of their own',
    { origin: 'file', groups: null, ...REVOKED },
    { groups: ['x'] },
    ['disable'],
    [],
  ],
])('somebody who %s', (_name, person, user, kinds, taken) => {
  const users = new Map(user === null ? [] : [['jo', { ...IN_FILE, ...user }]])
  const compared = compare([{ ...JO, ...person }], users)
  expect(compared.changes.map(({ kind }) => kind)).toEqual(kinds)
  expect(compared.taken).toEqual(taken)
})

it('whom the database does not know is nobody’s business', () => {
  expect(compare([], new Map([['x', IN_FILE]]))).toEqual({ changes: [], taken: [] })
})

it.each([
  [false, false],
  [true, true],
  // Nobody has looked: they may have been disabled by hand.
  [null, true],
])('a lost entry of somebody last seen with disabled %s is written with disabled %s', (disabled, written) => {
  expect(editOf({ kind: 'add', person: { ...JO, disabled } })).toMatchObject({ disabled: written })
})
