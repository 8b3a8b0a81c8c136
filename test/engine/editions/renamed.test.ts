/** Live records whose name a release moves. */
import { expect, it } from 'vitest'
import { renamedBy } from '../../../src/engine/editions/renamed.ts'
import { anIntent, aRow, type RowWish } from '../../fixtures.ts'

const OLD: RowWish = { domain: 'old.example.com' }
const NEW: RowWish = { domain: 'new.example.com', revision: 2 }

it.each<[what: string, before: RowWish | null, after: RowWish | null, is_renamed: boolean]>([
  ['another name', OLD, NEW, true],
  ['the same name', OLD, { ...OLD, revision: 2 }, false],
  ['a record that was not there', null, NEW, false],
  ['a record that was not live', { ...OLD, live: false }, NEW, false],
  ['a record that is live no more', OLD, { ...NEW, live: false }, false],
  ['a record that goes', OLD, null, false],
])('%s', (_what, before, after, is_renamed) => {
  const row = after === null ? null : aRow(after)
  const released = anIntent(...(before === null ? [] : [before]))
  expect(renamedBy([{ domain_id: 1, row }], released)).toEqual(
    is_renamed ? [{ before: aRow(before!), after: row }] : [],
  )
})
