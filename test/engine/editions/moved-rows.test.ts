/** Which rows a release moves and which wait for a deploy: what nobody outside sees does neither. */
import { describe, expect, it } from 'vitest'
import { movedRows, pendingBetween, withRows } from '../../../src/engine/editions/editions.ts'
import type { Intent } from '../../../src/model/intent.ts'
import { anIntent, aRow, type RowWish } from '../../fixtures.ts'

const A = { domain_id: 1, domain: 'a.example.com' }
const B = { domain_id: 2, domain: 'b.example.com' }
const OFF = { live: false }
const RETIRED = { live: false, retired: true }
const releaseOf = (row: RowWish | null) => ({ domain_id: 1, row: row === null ? null : aRow(row) })

describe('a row', () => {
  const NEXT = { revision: 2 }
  it.each<[what: string, old: RowWish | null, row: RowWish | null, moves: boolean, waits: boolean]>([
    ['as it is', A, A, false, false],
    ['with a newer revision that says the same', A, { ...A, ...NEXT }, false, false],
    ['with a newer revision of what nobody outside sees', A, { ...A, ...NEXT, note: 'x' }, false, false],
    ['with a newer revision', A, { ...A, ...NEXT, backend_port: 9 }, true, true],
    ['that is new', null, A, true, true],
    ['that is new and not live', null, { ...A, ...OFF }, false, false],
    ['that becomes live', { ...A, ...OFF }, A, true, true],
    ['that is live no more', A, { ...A, ...OFF }, true, true],
    ['that goes', A, null, true, true],
    // What was kept of it is taken away by its own way.
    ['that goes and was not live', { ...A, ...OFF }, null, true, false],
    ['that was never there goes', null, null, false, false],
    [
      'that is off line and edited',
      { ...A, ...OFF },
      { ...A, ...OFF, ...NEXT, backend_port: 9 },
      false,
      false,
    ],
    ['that is off line and retires', { ...A, ...OFF }, { ...A, ...RETIRED }, true, true],
    ['that was retired and is only off line', { ...A, ...RETIRED }, { ...A, ...OFF }, true, true],
    ['that stays retired', { ...A, ...RETIRED }, { ...A, ...RETIRED }, false, false],
  ])('%s', (_what, old, row, moves, waits) => {
    const released = anIntent(...(old === null ? [] : [old]))
    const working = anIntent(...(row === null ? [] : [row]))
    const release = releaseOf(row)
    expect(movedRows([release], released)).toEqual(moves ? [release] : [])
    expect(pendingBetween(working, released)).toEqual(waits ? [release] : [])
  })
})

describe('the released edition after a release', () => {
  const namesOf = ({ rows }: Intent) => rows.map(({ domain_id, fields }) => [domain_id, fields.domain])

  it('has the new rows in the place of the old, in the order of names', () => {
    const released = anIntent(A, B)
    const rows = [
      { domain_id: 1, row: aRow({ ...A, domain: 'z.example.com' }) },
      { domain_id: 3, row: aRow({ domain_id: 3, domain: 'c.example.com' }) },
    ]
    expect(namesOf(withRows(released, rows))).toEqual([
      [2, 'b.example.com'],
      [3, 'c.example.com'],
      [1, 'z.example.com'],
    ])
    expect(namesOf(withRows(released, [releaseOf(null)]))).toEqual([[2, 'b.example.com']])
    expect(withRows(released, [])).toEqual(released)
  })

  it('carries over what was published for a name that its gateway is to report', () => {
    const after = withRows(anIntent({ ...A, static_ip: '192.0.2.1' }), [
      releaseOf({ ...A, ddns_enabled: true }),
    ])
    expect(after.rows[0]!.carried).toEqual({ address: '192.0.2.1' })
  })
})
