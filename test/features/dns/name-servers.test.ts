/** Whom a zone is delegated to: the parent is asked itself, and what a resolver would like to say does not count. */
import { describe, expect, it } from 'vitest'
import { NameServers } from '../../../src/features/dns/zones/name-servers.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { at, failure, memoryDns, own, record, reply, type World } from './memory-dns.ts'

const RESOLVER = '10.0.0.1'
const PARENT = '192.0.2.10'
const signal = new AbortController().signal

const referral = reply({
  authority: [
    record('example.com', 'NS', 'ns1.example.com', 3600),
    record('example.com', 'NS', 'ns2.else.net', 120),
  ],
  additional: [
    record('ns1.example.com', 'A', '192.0.2.21'),
    record('ns1.example.com', 'AAAA', '2001:db8::21'),
  ],
})

const world = (): World => ({
  [RESOLVER]: {
    'com NS': reply({ answers: [record('com', 'NS', 'a.gtld.net')] }),
    'a.gtld.net A': reply({ answers: [record('a.gtld.net', 'A', PARENT)] }),
    'a.gtld.net AAAA': reply(),
    'ns2.else.net A': reply({ answers: [record('ns2.else.net', 'A', '192.0.2.22')] }),
    'ns2.else.net AAAA': reply({ rcode: 'NXDOMAIN' }),
    // Split DNS: inside, somebody else says to be the server.
    'example.com NS': reply({ answers: [record('example.com', 'NS', 'inside.lan')] }),
    'inside.lan A': reply({ answers: [record('inside.lan', 'A', '10.0.0.53')] }),
    'inside.lan AAAA': reply(),
  },
  [PARENT]: { 'example.com NS': referral },
})

function parts(
  given: World = world(),
  more: { authoritative?: { host: string; port: number }[]; resolvers?: string[] } = {},
) {
  const lookup = memoryDns(given)
  const clock = handClock()
  const servers = new NameServers({
    lookup,
    clock,
    authoritative: more.authoritative ?? [],
    resolvers: async () => (more.resolvers ?? [RESOLVER]).map(at),
  })
  const of = async (zone: string) => {
    const found = await servers.of(zone, signal)
    return found.ok ? found.servers.map(({ host, server }) => `${host} ${server.address}`) : found.detail
  }
  return { lookup, clock, of, servers }
}

describe('the delegation', () => {
  it('comes from the parent, with every address of every server, by glue or by name', async () => {
    const { lookup, of } = parts()
    expect(await of('example.com')).toEqual([
      'ns1.example.com 192.0.2.21',
      'ns1.example.com 2001:db8::21',
      'ns2.else.net 192.0.2.22',
    ])
    expect(lookup.asked).toContain(`${PARENT} example.com NS`)
    expect(lookup.asked).not.toContain(`${RESOLVER} example.com NS+`)
  })

  it('comes from the answer of a parent that serves the zone itself', async () => {
    const given = world()
    given[PARENT] = { 'example.com NS': own([record('example.com', 'NS', 'ns2.else.net')]) }
    expect(await parts(given).of('example.com')).toEqual(['ns2.else.net 192.0.2.22'])
  })

  it('of a name below is asked of the nearest zone above that has servers', async () => {
    const given = world()
    given[RESOLVER] = {
      ...given[RESOLVER],
      'b.example.com NS': reply(),
      'example.com NS': reply({ answers: [record('example.com', 'NS', 'ns2.else.net')] }),
    }
    given['192.0.2.22'] = {
      'a.b.example.com NS': reply({ authority: [record('a.b.example.com', 'NS', '192.0.2.77')] }),
    }
    expect(await parts(given).of('a.b.example.com')).toEqual(['192.0.2.77 192.0.2.77'])
  })

  it('that the parent denies is not made up from a resolver, and the way out is named', async () => {
    const given = world()
    given[PARENT] = { 'example.com NS': own([], { rcode: 'NXDOMAIN' }) }
    expect(await parts(given).of('example.com')).toMatch(
      /no name servers are found.*PLUMBLINE_DNS_AUTHORITATIVE/,
    )
  })

  it.each([
    ['is silent', undefined],
    ['refuses', { 'example.com NS': reply({ rcode: 'REFUSED' }) }],
    ['garbles', { 'example.com NS': failure('malformed') }],
  ])('is what the resolvers say when the parent %s', async (_what, answers) => {
    const given = world()
    given[PARENT] = answers ?? {}
    expect(await parts(given).of('example.com')).toEqual(['inside.lan 10.0.0.53'])
  })

  it('to servers without addresses is trouble', async () => {
    const given = world()
    given[PARENT] = {
      'example.com NS': reply({ authority: [record('example.com', 'NS', 'gone.example')] }),
    }
    expect(await parts(given).of('example.com')).toMatch(/no address is known for the name servers/)
  })

  it('is found with the second resolver when the first is dead, and not at all without any', async () => {
    expect(await parts(world(), { resolvers: ['10.0.0.9', RESOLVER] }).of('example.com')).toHaveLength(3)
    expect(await parts(world(), { resolvers: [] }).of('example.com')).toMatch(/no name servers/)
  })
})

describe('servers of the settings', () => {
  it('are asked for every zone, addresses as they are and names through the resolvers', async () => {
    const authoritative = [
      { host: '192.0.2.5', port: 5353 },
      { host: 'ns2.else.net', port: 53 },
    ]
    const { of, lookup } = parts(world(), { authoritative })
    const both = ['192.0.2.5 192.0.2.5', 'ns2.else.net 192.0.2.22']
    expect(await of('example.com')).toEqual(both)
    expect(await of('example.net')).toEqual(both)
    expect(lookup.asked).toEqual([`${RESOLVER} ns2.else.net A+`, `${RESOLVER} ns2.else.net AAAA+`])
  })

  it('one without an address leaves all open, because it may be the one that is behind', async () => {
    const authoritative = [
      { host: '192.0.2.5', port: 53 },
      { host: 'gone.example', port: 53 },
    ]
    expect(await parts(world(), { authoritative }).of('example.com')).toMatch(/gone\.example/)
  })
})

describe('what was found', () => {
  it('is kept as long as the shortest TTL says, and asked for once by many at the same time', async () => {
    const { of, lookup, clock } = parts()
    await Promise.all([of('example.com'), of('example.com'), of('example.com')])
    const once = lookup.asked.length
    clock.pass(119_999)
    await of('example.com')
    expect(lookup.asked).toHaveLength(once)
    clock.pass(1)
    await of('example.com')
    expect(lookup.asked).toHaveLength(2 * once)
  })

  it('is asked for again soon when nothing was found', async () => {
    const { of, lookup, clock } = parts({})
    expect(await of('example.com')).toMatch(/no name servers/)
    lookup.world = world()
    expect(await of('example.com')).toMatch(/no name servers/)
    clock.pass(10_000)
    expect(await of('example.com')).toHaveLength(3)
  })

  it('a search that was broken off is not kept', async () => {
    const { servers, of, lookup } = parts()
    const end = new AbortController()
    lookup.gate = async () => end.abort(new Error('enough'))
    await expect(servers.of('example.com', end.signal)).rejects.toThrow('enough')
    lookup.gate = async () => undefined
    expect(await of('example.com')).toHaveLength(3)
  })
})
