/** What is limited for everybody together: whoever may only look leaves room for others, and one of them for the rest. */
import { expect, it } from 'vitest'
import { readerAmong, usedUp } from '../../src/core/shares.ts'

const SHARES = { all: 4, readers: 3, reader: 2 }

it.each([
  [[], null, null],
  [[], 'wall', null],
  [['wall', 'wall'], 'wall', 'reader'],
  [['wall', 'wall'], 'hall', null],
  [['wall', 'wall', 'hall'], 'attic', 'readers'],
  [['wall', 'wall', 'hall'], null, null],
  [['wall', 'wall', 'hall', null], null, 'all'],
  [[null, null, null], 'wall', null],
] as const)('taken by %j, one more of %j: %j is used up', (taken, one, used_up) => {
  const all = taken.map((reader) => ({ reader }))
  expect(usedUp(all, one, SHARES)).toBe(used_up)
})

it('a reader is called by the name of the actor, whoever shows nothing by its network, and who may change is none', () => {
  const holder = '192.0.2.7'
  expect(readerAmong({ may: 'read', actor: { name: 'key:wall' }, holder })).toBe('key:wall')
  expect(readerAmong({ may: null, actor: { name: 'lan' }, holder })).toBe('lan 192.0.2.7')
  expect(readerAmong({ may: 'change', actor: { name: 'key' }, holder })).toBeNull()
})
