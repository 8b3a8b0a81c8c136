/** Whose a name is, where records move from one name to another. */
import { expect, it } from 'vitest'
import { knownDomains } from '../../../src/engine/editions/known-domains.ts'
import type { StoreReader } from '../../../src/ports/store.ts'
import { anIntent, type RowWish } from '../../fixtures.ts'

const A: RowWish = { domain_id: 1, domain: 'a.example.com', revision: 3 }
const B: RowWish = { domain_id: 2, domain: 'b.example.com', revision: 4 }
const OFF = { live: false }

const known = async (working: readonly RowWish[], released: readonly RowWish[]) => {
  const editions = { working: anIntent(...working), released: anIntent(...released) }
  const store = { intent: async (edition: 'working' | 'released') => editions[edition] }
  const found = await knownDomains(store as unknown as StoreReader)
  return Object.fromEntries(
    [...found].map(([name, { domain_id, released_revision }]) => [name, [domain_id, released_revision]]),
  )
}

it.each<[what: string, working: readonly RowWish[], released: readonly RowWish[], names: object]>([
  ['its record’s, with the revision that is released', [A], [A], { 'a.example.com': [1, 3] }],
  ['its record’s before any release', [A], [], { 'a.example.com': [1, null] }],
  ['its record’s after it was deleted', [], [A], { 'a.example.com': [1, 3] }],
  [
    'a renamed record’s, both of them',
    [{ ...A, revision: 5, domain: 'new.example.com' }],
    [A],
    { 'a.example.com': [1, 3], 'new.example.com': [1, 3] },
  ],
  [
    'whose it is released for, whoever wants it next',
    [{ ...B, domain: 'a.example.com' }],
    [A],
    { 'a.example.com': [1, 3] },
  ],
  [
    'the live one’s of two that had it',
    [],
    [
      { ...A, domain: 'x.example.com' },
      { ...B, ...OFF, domain: 'x.example.com' },
    ],
    { 'x.example.com': [1, 3] },
  ],
  ['nobody’s once its record is retired and gone', [], [{ ...A, ...OFF, retired: true }], {}],
])('a name is %s', async (_what, working, released, names) => {
  expect(await known(working, released)).toEqual(names)
})
