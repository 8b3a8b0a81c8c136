/** Whom it would let in again to put the users file back in place of a link. */
import { expect, it } from 'vitest'
import type { FileUser } from '../../../../src/ports/users-file.ts'
import type { Person } from '../../../../src/features/people/records.ts'
import { lackedBehind } from '../../../../src/features/people/target/seen.ts'

const person = (over: Partial<Person> = {}): Person => ({
  username: 'jo',
  origin: 'invited',
  display_name: 'Jo',
  email: 'jo@example.net',
  groups: ['staff'],
  revoked_at: null,
  password_hash: null,
  written_at: 5,
  disabled: false,
  created_at: 1,
  updated_at: 1,
  ...over,
})
const user = (groups: readonly string[] = ['staff'], disabled = false): FileUser => ({
  password: 'h',
  display_name: '',
  email: '',
  groups,
  disabled,
})
const users = (entries: Readonly<Record<string, FileUser>>) => new Map(Object.entries(entries))
const BEFORE = users({ ana: user(), jo: user(), off: user([], true) })

it.each<[string, ReadonlyMap<string, FileUser>, readonly string[]]>([
  ['the same people', BEFORE, []],
  ['one less who is not ours', users({ jo: user() }), ['ana']],
  ['one less who is ours: that is undone anyway', users({ ana: user() }), []],
  ['ours, disabled by hand: nobody is enabled', users({ ana: user(), jo: user([], true) }), ['jo']],
  ['a group less of one who is not ours', users({ ana: user([]), jo: user() }), ['ana']],
  ['a group less of ours: that is undone anyway', users({ ana: user(), jo: user([]) }), []],
  ['one more, and one less', users({ jo: user(), eve: user() }), []],
  ['one more who is disabled, and one less', users({ jo: user(), eve: user([], true) }), ['ana']],
  ['a group more, and one less', users({ jo: user(['staff', 'admins']) }), []],
  ['one enabled, and one less', users({ jo: user(), off: user() }), []],
])('behind the link: %s', (_, behind, lacked) => {
  expect(lackedBehind(behind, BEFORE, [person()])).toEqual(lacked)
})

it('who was revoked is disabled in what is put back', () => {
  expect(lackedBehind(users({ ana: user() }), BEFORE, [person({ revoked_at: 7 })])).toEqual([])
})
