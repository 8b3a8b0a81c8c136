/** What resolvers show is told and judged by nobody, and no answer "not there" is asked for twice. */
import { expect, it } from 'vitest'
import type { ManagedSet } from '../../../src/features/dns/records/managed-set.ts'
import { ResolverGlances } from '../../../src/features/dns/integrity/resolver-glances.ts'
import type { DnsReply } from '../../../src/features/dns/lookup/port.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { at, failure, memoryDns, record, reply } from './memory-dns.ts'

const SET: ManagedSet = {
  zone: 'example.com',
  name: 'app.example.com',
  type: 'A',
  values: ['192.0.2.1'],
  proxied: null,
  domain_id: 1,
}
const signal = new AbortController().signal

function parts(answer: DnsReply) {
  const lookup = memoryDns({ '10.0.0.1': { 'app.example.com A': answer } })
  const clock = handClock()
  const glances = new ResolverGlances({ lookup, clock, resolvers: async () => [at('10.0.0.1')] })
  return { lookup, clock, look: async () => (await glances.look(SET, signal))[0]! }
}

const shows = (...values: string[]) => reply({ answers: values.map((value) => record(SET.name, 'A', value)) })

it.each<[string, DnsReply, object]>([
  ['the same', shows('192.0.2.1'), { values: ['192.0.2.1'], agrees: true, note: null, detail: null }],
  ['something else', shows('10.1.1.1'), { values: ['10.1.1.1'], agrees: false, note: 'split_horizon' }],
  [
    'the same behind an alias',
    reply({ answers: [record(SET.name, 'CNAME', 'x.example'), record('x.example', 'A', '192.0.2.1')] }),
    { values: ['192.0.2.1'], agrees: true },
  ],
  ['silence', failure('silent'), { values: null, agrees: null, note: null, detail: 'silent' }],
  ['a failure', reply({ rcode: 'SERVFAIL' }), { values: null, agrees: null, detail: 'answered SERVFAIL' }],
])('a resolver that shows %s', async (_what, answer, expected) => {
  expect(await parts(answer).look()).toMatchObject(expected)
})

it('is asked with recursion, each time anew while it has an answer', async () => {
  const { lookup, look } = parts(shows('10.1.1.1'))
  await look()
  await look()
  expect(lookup.asked).toEqual(['10.0.0.1 app.example.com A+', '10.0.0.1 app.example.com A+'])
})

it.each([
  ['the SOA’s own TTL', record('example.com', 'SOA', '900', 60), 60_000],
  ['its last field', record('example.com', 'SOA', '30', 3600), 30_000],
  ['three hours at most', record('example.com', 'SOA', '2000000', 2_000_000), 10_800_000],
])('after "not there" it is left alone for as long as %s', async (_what, soa, kept_ms) => {
  const { lookup, clock, look } = parts(reply({ rcode: 'NXDOMAIN', authority: [soa] }))
  expect(await look()).toMatchObject({ values: [], agrees: false, note: 'split_horizon' })
  clock.pass(kept_ms - 1)
  expect(await look()).toMatchObject({ values: [], agrees: false, note: 'kept' })
  expect(lookup.asked).toHaveLength(1)
  clock.pass(1)
  lookup.world['10.0.0.1'] = { 'app.example.com A': shows('192.0.2.1') }
  expect(await look()).toMatchObject({ agrees: true })
})
