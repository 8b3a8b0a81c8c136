/** The export of PowerDNS as sets: whole or not at all, and what is of no interest need not be understood. */
import { expect, it } from 'vitest'
import { exportedSets } from '../../../../src/features/dns/providers/powerdns/provider.ts'
import { RecordFault } from '../../../../src/features/dns/providers/record-fault.ts'

const ZONE = 'example.org'
const SOA = 'example.org.\t3600\tIN\tSOA\tns1.test. host.test. 1 2 3 4 5'
const text = (...lines: readonly string[]) => [...lines, ''].join('\n')
const sets = (...lines: readonly string[]) => exportedSets(ZONE, text(...lines), ['A', 'TXT', 'CNAME'])

it('records of one name and type are one set, in the normal form', () => {
  expect(
    sets(
      SOA,
      'App.example.org.\t300\tIN\tA\t192.0.2.2',
      'app.example.org.\t300\tIN\tA\t192.0.2.1',
      'app.example.org.\t60\tIN\tTXT\t"a\tb" "c"',
      'www.example.org.\t60\tIN\tCNAME\tApp.example.org.',
    ).map(({ name, type, ttl, values }) => [name, type, ttl, ...values]),
  ).toEqual([
    ['app.example.org', 'A', 300, '192.0.2.1', '192.0.2.2'],
    ['app.example.org', 'TXT', 60, 'a\tbc'],
    ['www.example.org', 'CNAME', 60, 'app.example.org'],
  ])
})

it('what is of another type need not be understood', () => {
  expect(sets(SOA, 'app.example.org.\t300\tIN\tLUA\tA "no idea"')).toEqual([])
})

it.each([
  ['nothing', []],
  ['no start of authority', ['app.example.org.\t300\tIN\tA\t192.0.2.1']],
  ['that of a zone below', ['sub.example.org.\t300\tIN\tSOA\tns1.test. host.test. 1 2 3 4 5']],
  ['a line that is cut', [SOA, 'app.example.org.\t300\tIN\tA']],
  ['an address that is none', [SOA, 'app.example.org.\t300\tIN\tA\t999.0.2.1']],
  ['words', ['the server is busy']],
])('%s is no export', (_what, lines) => {
  expect(() => sets(...lines)).toThrow(RecordFault)
})
