/** What sshd takes offence at, as a table: owner and mode of each step from the key file to the home. */
import { expect, it } from 'vitest'
import { foldersAbove, strictModesFaults } from '../../../src/model/ssh/strict-modes.ts'

const USER = 1000
const FILE = '/home/gate/.ssh/authorized_keys'

it.each<[string, number, number, RegExp | null]>([
  ['of the user alone', USER, 0o100600, null],
  ['of root, read by all', 0, 0o100644, null],
  ['of somebody else', 1001, 0o100600, /belongs to user id 1001: chown it to user id 1000 or root/],
  ['written by the group', USER, 0o100620, /may be written by its group: chmod g-w/],
  ['written by all, with a sticky bit', 0, 0o041757, /may be written by everybody: chmod o-w/],
])('a step that is %s', (_, uid, mode, fault) => {
  const found = strictModesFaults({ uid: USER, steps: [{ path: FILE, uid, mode }] })
  if (fault === null) expect(found).toEqual([])
  else expect(found).toEqual([expect.stringMatching(fault)])
})

it('every step is told of', () => {
  const steps = [
    { path: FILE, uid: 7, mode: 0o666 },
    { path: '/home/gate/.ssh', uid: USER, mode: 0o770 },
  ]
  expect(strictModesFaults({ uid: USER, steps })).toHaveLength(4)
})

it.each([
  [FILE, '/home/gate', ['/home/gate/.ssh', '/home/gate']],
  ['/etc/ssh/keys/gate', '/home/gate', ['/etc/ssh/keys', '/etc/ssh', '/etc', '/']],
  ['/keys', null, ['/']],
  ['/home/gate2/keys', '/home/gate', ['/home/gate2', '/home', '/']],
])('above %s, with the home %s, are %j', (path, home, folders) => {
  expect(foldersAbove(path, home)).toEqual(folders)
})
