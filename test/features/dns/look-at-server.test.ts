/** What one authoritative server shows of a name, and what it does not get away with. */
import { describe, expect, it } from 'vitest'
import { NameServers } from '../../../src/features/dns/zones/name-servers.ts'
import { lookAtServer } from '../../../src/features/dns/integrity/look-at-server.ts'
import type { DnsReply } from '../../../src/features/dns/lookup/port.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { at, failure, memoryDns, own, record, reply, type World } from './memory-dns.ts'

const SERVER = '192.0.2.1'
const RESOLVER = '10.0.0.1'
const NAME = 'app.example.com'
const signal = new AbortController().signal

function look(world: World, resolvers: readonly string[] = [RESOLVER]) {
  const lookup = memoryDns(world)
  const parts = { lookup, clock: handClock(), authoritative: [], resolvers: async () => resolvers.map(at) }
  const name_servers = new NameServers(parts)
  const observation = lookAtServer(
    { ...parts, name_servers },
    { host: 'ns1.example.net', server: at(SERVER) },
    { zone: 'example.com', name: NAME, type: 'A', signal },
  )
  return { lookup, observation }
}

const answers = (answer: DnsReply): World => ({ [SERVER]: { [`${NAME} A`]: answer } })
const alias = (from: string, to: string) => record(from, 'CNAME', to)

describe('a server', () => {
  it('shows distinct values in order, and is asked without recursion', async () => {
    const world = answers(
      own(['192.0.2.9', '192.0.2.3', '192.0.2.9'].map((value) => record(NAME, 'A', value))),
    )
    const { lookup, observation } = look(world)
    expect(await observation).toEqual({
      kind: 'seen',
      values: ['192.0.2.3', '192.0.2.9'],
      via: [],
      note: null,
    })
    expect(lookup.asked).toEqual([`${SERVER} ${NAME} A`])
  })

  it.each([
    ['no such name', own([], { rcode: 'NXDOMAIN' })],
    ['no such record', own([])],
    ['a record of another name only', own([record('x.example.com', 'A', '192.0.2.9')])],
  ])('that has %s shows nothing, which is an answer', async (_what, answer) => {
    expect(await look(answers(answer)).observation).toMatchObject({ kind: 'seen', values: [] })
  })

  it.each<[string, DnsReply, RegExp]>([
    ['is silent', failure('silent'), /^ns1\.example\.net \(192\.0\.2\.1:53\) silent/],
    ['answers SERVFAIL', reply({ rcode: 'SERVFAIL' }), /answered SERVFAIL/],
    ['refuses', reply({ rcode: 'REFUSED' }), /answered REFUSED/],
    [
      'answers without authority',
      reply({ answers: [record(NAME, 'A', '192.0.2.3')] }),
      /does not serve the zone/,
    ],
    [
      'refers to others',
      reply({ authority: [record('app.example.com', 'NS', 'ns.other.net')] }),
      /refers to the servers of app\.example\.com/,
    ],
  ])('that %s has failed, and is named', async (_what, answer, words) => {
    const observation = await look(answers(answer)).observation
    expect(observation).toMatchObject({ kind: 'failed' })
    expect('detail' in observation && observation.detail).toMatch(words)
  })

  it('that cannot be reached from this host at all is skipped', async () => {
    expect(await look(answers(failure('no_route'))).observation).toMatchObject({ kind: 'skipped' })
  })
})

describe('an alias', () => {
  it('is followed within one answer', async () => {
    const world = answers(own([alias(NAME, 'b.example.com'), record('b.example.com', 'A', '192.0.2.3')]))
    expect(await look(world).observation).toMatchObject({ values: ['192.0.2.3'], via: ['b.example.com'] })
  })

  it('is followed at the same server when its target was not in the answer', async () => {
    const world = answers(own([alias(NAME, 'b.example.com')]))
    world[SERVER]!['b.example.com A'] = own([record('b.example.com', 'A', '192.0.2.3')])
    expect(await look(world).observation).toMatchObject({ values: ['192.0.2.3'], via: ['b.example.com'] })
  })

  it('into another zone is followed at that zone’s servers, of which one may be dead', async () => {
    const world = answers(own([alias(NAME, 'cdn.other.net')]))
    world[RESOLVER] = {
      'cdn.other.net SOA': reply({ authority: [record('other.net', 'SOA', '300')] }),
      'net NS': reply({ answers: [record('net', 'NS', 'a.gtld.net')] }),
      'a.gtld.net A': reply({ answers: [record('a.gtld.net', 'A', '192.0.2.10')] }),
      'a.gtld.net AAAA': reply(),
    }
    world['192.0.2.10'] = {
      'other.net NS': reply({
        authority: [record('other.net', 'NS', 'n1.other.net'), record('other.net', 'NS', 'n2.other.net')],
        additional: [record('n1.other.net', 'A', '192.0.2.31'), record('n2.other.net', 'A', '192.0.2.32')],
      }),
    }
    world['192.0.2.32'] = { 'cdn.other.net A': own([record('cdn.other.net', 'A', '198.51.100.1')]) }
    const { lookup, observation } = look(world)
    expect(await observation).toMatchObject({ values: ['198.51.100.1'], via: ['cdn.other.net'] })
    expect(lookup.asked).toContain('192.0.2.31 cdn.other.net A')
  })

  it('into a zone whose servers are not found leaves it open', async () => {
    const world = answers(own([alias(NAME, 'cdn.other.net')]))
    expect(await look(world).observation).toMatchObject({ kind: 'failed' })
    expect(await look(world, []).observation).toMatchObject({ kind: 'failed' })
  })

  it.each([
    ['onto itself', [alias(NAME, NAME)]],
    ['in a circle', [alias(NAME, 'b.example.com'), alias('b.example.com', NAME)]],
    [
      'in a circle further on',
      [
        alias(NAME, 'b.example.com'),
        alias('b.example.com', 'c.example.com'),
        alias('c.example.com', 'b.example.com'),
      ],
    ],
  ])('%s ends, and shows nothing', async (_what, records) => {
    expect(await look(answers(own(records))).observation).toMatchObject({
      kind: 'seen',
      values: [],
      note: expect.stringContaining('circle') as unknown,
    })
  })

  it('in a circle that takes a question each ends, too', async () => {
    const world = answers(own([alias(NAME, 'b.example.com')]))
    world[SERVER]!['b.example.com A'] = own([alias('b.example.com', NAME)])
    const { lookup, observation } = look(world)
    expect(await observation).toMatchObject({
      values: [],
      note: expect.stringContaining('circle') as unknown,
    })
    expect(lookup.asked).toHaveLength(2)
  })

  it.each([
    [8, true],
    [9, false],
  ])('in a chain of %i is followed to its end: %s', async (length, is_followed) => {
    const world: World = { [SERVER]: {} }
    const hop = (i: number) => (i === 0 ? NAME : `n${i}.example.com`)
    for (let i = 0; i < length; i++) world[SERVER]![`${hop(i)} A`] = own([alias(hop(i), hop(i + 1))])
    world[SERVER]![`${hop(length)} A`] = own([record(hop(length), 'A', '192.0.2.3')])
    expect(await look(world).observation).toMatchObject({ values: is_followed ? ['192.0.2.3'] : [] })
  })
})
