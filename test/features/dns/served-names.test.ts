/** What the servers of a zone answer for a name: told with the server, never made up by a wildcard, and silence is nothing. */
import { expect, it } from 'vitest'
import { ServedNames } from '../../../src/features/dns/zones/served-names.ts'
import type { DnsLookup, DnsRecord, DnsReply } from '../../../src/features/dns/lookup/port.ts'

const never = new AbortController().signal
const ZONE = 'example.com'
const WILD: DnsRecord = { name: '', type: 'A', ttl: 60, value: '198.51.100.9' }
const record = (name: string, type: DnsRecord['type'], value: string): DnsRecord => ({
  name: `${name}.${ZONE}`,
  type,
  ttl: 300,
  value,
})
const RECORDS = [
  record('app', 'A', '192.0.2.2'),
  record('app', 'A', '192.0.2.1'),
  record('six', 'AAAA', '2001:db8::1'),
  record('alias', 'CNAME', 'elsewhere.test'),
  record('*', 'A', '198.51.100.9'),
]

type Mood = 'answers' | 'silent' | 'not in charge'

function servedBy(...moods: readonly Mood[]) {
  const asked: string[] = []
  const lookup: DnsLookup = {
    async ask({ server, name, type, recursion }): Promise<DnsReply> {
      asked.push(`${server.address} ${type} ${name}`)
      expect(recursion).toBe(false)
      const mood = moods[Number(server.address.at(-1)) - 1]
      if (mood === 'silent') return { ok: false, reason: 'silent', detail: 'nothing came' }
      const own = RECORDS.filter((one) => one.name === name && (one.type === type || one.type === 'CNAME'))
      const is_known = RECORDS.some((one) => one.name === name)
      const answers = is_known ? own : type === 'A' ? [{ ...WILD, name }] : []
      const authoritative = mood === 'answers'
      return { ok: true, rcode: 'NOERROR', authoritative, answers, authority: [], additional: [] }
    },
  }
  const servers = moods.map((_, i) => ({ host: `ns${i}`, server: { address: `192.0.2.${i + 1}`, port: 53 } }))
  const names = new ServedNames({ lookup, servers: { of: async () => ({ ok: true, servers, ttl_s: 60 }) } })
  const at = (label: string, ...types: readonly string[]) =>
    names.at(ZONE, { name: `${label}.${ZONE}`, types }, never)
  return { at, asked, names }
}

it.each<readonly [label: string, types: readonly string[], sets: readonly string[]]>([
  ['app', ['A'], ['A 192.0.2.1,192.0.2.2']],
  ['app', ['AAAA'], []],
  ['six', ['A', 'AAAA'], ['AAAA 2001:db8::1']],
  ['alias', ['A', 'AAAA'], ['CNAME elsewhere.test']],
  ['free', ['A'], []],
  ['*', ['A'], ['A 198.51.100.9']],
  ['app', ['TXT'], []],
])('%s %j', async (label, types, sets) => {
  const found = await servedBy('answers').at(label, ...types)
  expect(found.map(({ type, values }) => `${type} ${values.join()}`)).toEqual(sets)
  for (const one of found) expect(one).toMatchObject({ name: `${label}.${ZONE}`, server: '192.0.2.1:53' })
})

it('each server is asked; one that is silent or not in charge says nothing', async () => {
  const { at } = servedBy('silent', 'not in charge', 'answers', 'answers')
  expect((await at('app', 'A')).map(({ server }) => server)).toEqual(['192.0.2.3:53', '192.0.2.4:53'])
  expect(await servedBy('silent', 'not in charge').at('app', 'A')).toEqual([])
})

it('a name that nobody answers costs one question for each type', async () => {
  const { at, asked } = servedBy('answers')
  await at('six', 'A')
  expect(asked).toEqual(['192.0.2.1 A six.example.com'])
})
