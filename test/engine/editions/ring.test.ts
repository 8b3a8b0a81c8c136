/** Who waits for whom in a circle. */
import { expect, it } from 'vitest'
import { ringThrough } from '../../../src/engine/editions/ring.ts'
import { aRow, type RowWish } from '../../fixtures.ts'

const rowsOf = (rows: readonly RowWish[]) => rows.map(aRow)
const named = (...names: readonly string[]): readonly RowWish[] =>
  names.map((name, index) => ({ domain_id: index + 1, domain: `${name}.example.com` }))
const TCP = { service_type: 'tcp-proxy', protocol: 'tcp', ssl_enabled: false } as const
const onEntrypoints = (...entrypoints: readonly string[]): readonly RowWish[] =>
  named('a', 'b').map((row, index) => ({ ...row, ...TCP, tcp_entrypoint: entrypoints[index]! }))

it.each<
  [what: string, had: readonly RowWish[], wanted: readonly RowWish[], of: number, ring: readonly number[]]
>([
  ['nobody who keeps what they have', named('a', 'b'), named('a', 'b'), 1, []],
  ['two that swap', named('a', 'b'), named('b', 'a'), 2, [1, 2]],
  ['three that go round', named('a', 'b', 'c'), named('b', 'c', 'a'), 2, [1, 2, 3]],
  ['one of two rings', named('a', 'b', 'c', 'd'), named('b', 'a', 'd', 'c'), 3, [3, 4]],
  ['nobody in a row, of which the last can go first', named('a', 'b', 'c'), named('b', 'c', 'd'), 1, []],
  ['nobody beside a ring for which they wait', named('a', 'b', 'c'), named('b', 'a', 'a'), 3, []],
  ['a ring for which somebody else waits', named('a', 'b', 'c'), named('b', 'a', 'a'), 1, [1, 2]],
  ['nobody where one is gone', named('a', 'b'), named('b'), 1, []],
  ['two that swap entrypoints', onEntrypoints('ssh', 'smtp'), onEntrypoints('smtp', 'ssh'), 1, [1, 2]],
])('%s', (_what, had, wanted, of, ring) => {
  const found = ringThrough(of, { had: rowsOf(had), wanted: rowsOf(wanted) })
  expect(found.map(({ domain_id }) => domain_id)).toEqual(ring)
})
