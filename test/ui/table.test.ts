/** What the table of domains decides without a browser: places that rows keep, columns, ends of certificates. */
import { describe, expect, it } from 'vitest'
import type { Certificates } from '../../src/ui/api/types.ts'
import { certificateDays } from '../../src/ui/model/table/certificate-days.ts'
import { columnsText, parseColumns } from '../../src/ui/model/table/columns.ts'
import type { FilterRow } from '../../src/ui/model/filter.ts'
import { noSlots, slotsOf } from '../../src/ui/model/table/slots.ts'
import { stableOrder, type StableOrder } from '../../src/ui/model/table/stable-order.ts'
import { sorted } from '../../src/ui/model/sort.ts'

const ROW: FilterRow = {
  id: 0,
  domain: 'a.example',
  domain_unicode: 'a.example',
  target: 'a',
  kind: 'http',
  status: 'active',
  environment: 'production',
  tags: [],
  note: '',
  open: false,
  pending: false,
  updated_at: 0,
  lamps: [],
  certificate_days: null,
}

describe('rows that the stream changes', () => {
  const at = (id: number, target: string): FilterRow => ({ ...ROW, id, domain: `d${id}.example`, target })
  const stable = (before: StableOrder<FilterRow> | null, rows: readonly FilterRow[], key = 'k') =>
    stableOrder(before, key, rows, sorted(rows, { column: 'target', down: false }))
  const first = [at(1, 'a'), at(2, 'b'), at(3, 'c')]
  const idsOf = ({ rows }: StableOrder<FilterRow>) => rows.map(({ id }) => id)

  it('keep their place and are marked, until the order is asked for again', () => {
    const before = stable(null, first)
    const after = stable(before, [at(1, 'z'), at(2, 'b'), at(3, 'c')])
    expect(idsOf(after)).toEqual([1, 2, 3])
    expect([...after.moved]).toEqual([1])
    expect(idsOf(stable(after, [at(1, 'z'), at(2, 'b'), at(3, 'c')], 'again'))).toEqual([2, 3, 1])
  })

  it('are not marked where they stand right, leave when they are gone, and come last when they are new', () => {
    const before = stable(null, first)
    expect(stable(before, [at(1, 'aa'), at(2, 'b'), at(3, 'c')]).moved.size).toBe(0)
    expect(idsOf(stable(before, [at(2, 'b'), at(3, 'c'), at(4, 'a')]))).toEqual([2, 3, 4])
  })
})

describe('what is drawn', () => {
  const NOBODY = new Set<number>()
  const pairs = (of: ReadonlyMap<number, number>) => [...of]
  const first = slotsOf(noSlots<number>(), [1, 2, 3], NOBODY)

  it('stays with a row that stays, and what left makes room for what came', () => {
    expect(pairs(first.of)).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ])
    const scrolled = slotsOf(first, [2, 3, 4], NOBODY)
    expect(pairs(scrolled.of)).toEqual([
      [2, 1],
      [3, 2],
      [4, 0],
    ])
    expect(pairs(slotsOf(scrolled, [7, 8, 9, 10], NOBODY).of).map(([, slot]) => slot)).toEqual([1, 2, 0, 3])
  })

  it('is not filled anew while somebody is at it', () => {
    const filtered = slotsOf(first, [7, 8, 9], new Set([2]))
    expect(pairs(filtered.of).map(([, slot]) => slot)).toEqual([0, 2, 3])
  })
})

it('text is in order by its numbers; turned around, equal ones still stand by name', () => {
  const at = (domain: string, target: string): FilterRow => ({ ...ROW, domain, target })
  const rows = [at('b10.x', 'same'), at('b9.x', 'same'), at('c.x', 'z'), at('a.x', 'a')]
  const names = (column: string, down: boolean) => sorted(rows, { column, down }).map(({ domain }) => domain)
  expect(names('name', false)).toEqual(['a.x', 'b9.x', 'b10.x', 'c.x'])
  expect(names('name', true)).toEqual(['c.x', 'b10.x', 'b9.x', 'a.x'])
  expect(names('target', false)).toEqual(['a.x', 'b9.x', 'b10.x', 'c.x'])
  expect(names('target', true)).toEqual(['c.x', 'b9.x', 'b10.x', 'a.x'])
})

it('the certificate that is in use says how long a domain is served, else the one that ends first', () => {
  const now = Date.parse('2026-01-01T00:00:00.000Z')
  const of = (not_after: string, in_use: boolean | null) => ({
    certificate: { not_after },
    in_use,
    domains: [{ domain_id: 1, domain: 'a.example' }],
  })
  const days = (...certificates: object[]) =>
    certificateDays({ certificates } as unknown as Certificates, now).get(1)
  expect(days(of('2026-01-11T00:00:00.000Z', null), of('2026-01-05T00:00:00.000Z', null))).toBe(4)
  expect(days(of('2026-01-11T00:00:00.000Z', true), of('2026-01-05T00:00:00.000Z', null))).toBe(10)
  expect(days({ certificate: null, in_use: true, domains: [{ domain_id: 1 }] })).toBeUndefined()
})

it('columns are read from the address in the order of the table, and the usual ones are not written into it', () => {
  expect(columnsText(parseColumns(null))).toBeNull()
  expect(parseColumns('note,target,nonsense')).toEqual(['target', 'note'])
  expect(columnsText(['note', 'target'])).toBe('target,note')
})
