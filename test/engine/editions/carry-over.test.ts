/** What stays published for a name on its way into the released edition, until its gateway reports. */
import { describe, expect, it } from 'vitest'
import { carrying, carryingRows } from '../../../src/engine/editions/carry-over.ts'
import { anIntent, aRow, type RowWish } from '../../fixtures.ts'

const NAME = 'home.example.com'
const FIXED: RowWish = { domain: NAME, static_ip: '192.0.2.1' }
const REPORTED: RowWish = { domain: NAME, ddns_enabled: true }
const RENAMED: RowWish = { domain: 'new.example.com', ddns_enabled: true }

describe('a row', () => {
  it.each<[what: string, row: RowWish, old: RowWish | null, carried: unknown]>([
    ['the fixed address that it gives up', REPORTED, FIXED, { address: '192.0.2.1' }],
    ['the report under the name that it gives up', RENAMED, REPORTED, { host: NAME }],
    ['nothing where it keeps its name', REPORTED, REPORTED, undefined],
    ['nothing where it was never there', REPORTED, null, undefined],
    ['nothing where it is live no more', { ...RENAMED, live: false }, REPORTED, undefined],
    ['nothing from what was retired', RENAMED, { ...REPORTED, live: false, retired: true }, undefined],
    ['what is off line for now', RENAMED, { ...REPORTED, live: false }, { host: NAME }],
  ])('carries over %s', (_what, row, old, carried) => {
    const after = aRow(row)
    const found = carrying(after, old === null ? undefined : aRow(old))
    expect(found).toEqual(carried === undefined ? after : { ...after, carried })
  })
})

describe('saved rows', () => {
  const carried = (working: readonly RowWish[], released: readonly RowWish[]) =>
    carryingRows(anIntent(...working), anIntent(...released)).map((row) => [row.domain_id, row.carried])

  it('that would carry something over are found among all', () => {
    const others: RowWish[] = [{ domain_id: 3, domain: 'other.example.com' }]
    expect(
      carried(
        [{ ...REPORTED, domain_id: 1 }, { ...RENAMED, domain_id: 2 }, ...others],
        [{ ...FIXED, domain_id: 1 }, { ...REPORTED, domain_id: 2, domain: 'old.example.com' }, ...others],
      ),
    ).toEqual([
      [1, { address: '192.0.2.1' }],
      [2, { host: 'old.example.com' }],
    ])
  })

  it('are none where nothing was published by address or report', () => {
    expect(carried([REPORTED], [{ domain: NAME }])).toEqual([])
    expect(carried([REPORTED], [])).toEqual([])
  })
})
