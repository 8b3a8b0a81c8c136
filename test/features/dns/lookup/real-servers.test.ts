/** Lookups at real servers, beside what `dig` shows of them; and the resolvers of a host. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLookup } from '../../../../src/features/dns/lookup/create-lookup.ts'
import { systemResolvers } from '../../../../src/features/dns/lookup/system-resolvers.ts'
import type { DnsLookupType, DnsReply } from '../../../../src/features/dns/lookup/port.ts'
import { askDig } from '../../../peers/dig.ts'
import { KNOT_PROGRAMS, type Knot, startKnot } from '../../../peers/knot.ts'
import { describePeers } from '../../../peers/peers.ts'
import { POWERDNS_PROGRAMS, type PowerDns, startPowerDns } from '../../../peers/powerdns.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const lookup = createLookup()
const ZONE = 'example.test'

/** As `dig` itself prints it, in each tier: here it is the judge. */
const digShort = async (port: number, name: string, type: string): Promise<string[]> =>
  (await askDig(port, name, type)).answers.map(({ value }) => value).sort()

const asker = (port: () => number) => (name: string, type: DnsLookupType) =>
  lookup.ask({
    server: { address: '127.0.0.1', port: port() },
    name,
    type,
    recursion: false,
    signal: AbortSignal.timeout(60_000),
  })

const KEY = { name: 'any', algorithm: 'hmac-sha256', secret: Buffer.alloc(32).toString('base64') } as const

const valuesOf = (reply: DnsReply): string[] =>
  reply.ok ? reply.answers.map(({ value }) => value).sort() : []

describePeers(KNOT_PROGRAMS, 'a lookup at Knot', () => {
  let knot: Knot
  const ask = asker(() => knot.dns_port)
  beforeAll(async () => {
    knot = await startKnot({ keys: [KEY] })
    await knot.addZone(ZONE)
    await knot.edit(ZONE, [
      ['set', 'app', '60', 'A', '192.0.2.1'],
      ['set', 'app', '60', 'AAAA', '2001:DB8::1'],
      ['set', '*.wild', '60', 'A', '192.0.2.2'],
      ['set', 'alias', '60', 'CNAME', 'app'],
      ['set', 'far', '60', 'CNAME', 'elsewhere.test.'],
      ...Array.from({ length: 200 }, (_, i) => ['set', 'many', '60', 'A', `192.0.2.${i + 1}`] as const),
    ])
  })
  afterAll(() => knot.stop())

  it('sees addresses as dig does, in canonical form and with authority', async () => {
    expect(await ask('app.example.test', 'A')).toMatchObject({
      ok: true,
      rcode: 'NOERROR',
      authoritative: true,
      answers: [{ name: 'app.example.test', type: 'A', ttl: 60, value: '192.0.2.1' }],
    })
    expect(valuesOf(await ask('app.example.test', 'AAAA'))).toEqual(
      await digShort(knot.dns_port, 'app.example.test', 'AAAA'),
    )
    expect(valuesOf(await ask('x.wild.example.test', 'A'))).toEqual(['192.0.2.2'])
    expect(valuesOf(await ask('*.wild.example.test', 'A'))).toEqual(['192.0.2.2'])
  })

  it('sees aliases, what is not there and whose zone it is not', async () => {
    expect(valuesOf(await ask('alias.example.test', 'A'))).toEqual(['192.0.2.1', 'app.example.test'])
    expect(valuesOf(await ask('far.example.test', 'A'))).toEqual(['elsewhere.test'])
    expect(await ask('none.example.test', 'A')).toMatchObject({
      rcode: 'NXDOMAIN',
      answers: [],
      authority: [{ type: 'SOA', name: 'example.test', value: '300' }],
    })
    expect(await ask('app.elsewhere.test', 'A')).toMatchObject({
      ok: true,
      rcode: 'REFUSED',
      authoritative: false,
    })
  })

  it('gets an answer over TCP that does not fit into a datagram', async () => {
    expect(valuesOf(await ask('many.example.test', 'A'))).toEqual(
      await digShort(knot.dns_port, 'many.example.test', 'A'),
    )
    expect(valuesOf(await ask('many.example.test', 'A'))).toHaveLength(200)
  })
})

describePeers(POWERDNS_PROGRAMS, 'a lookup at PowerDNS', () => {
  let powerdns: PowerDns
  const ask = asker(() => powerdns.dns_port)
  beforeAll(async () => {
    powerdns = await startPowerDns()
    await powerdns.addZone(ZONE)
    await powerdns.api('PATCH', `/zones/${ZONE}.`, {
      rrsets: [
        {
          name: `app.${ZONE}.`,
          type: 'A',
          ttl: 60,
          changetype: 'REPLACE',
          records: ['192.0.2.1', '192.0.2.9'].map((content) => ({ content, disabled: false })),
        },
      ],
    })
  })
  afterAll(() => powerdns.stop())

  it('sees what dig sees', async () => {
    expect(valuesOf(await ask('app.example.test', 'A'))).toEqual(['192.0.2.1', '192.0.2.9'])
    expect(await ask('example.test', 'NS')).toMatchObject({ ok: true, authoritative: true })
    expect(await ask('none.example.test', 'A')).toMatchObject({ ok: true, rcode: 'NXDOMAIN' })
  })
})

describe('the resolvers of a host', () => {
  it('are the first three addresses of resolv.conf, and none without it', async () => {
    const folder = newFolder('resolv')
    const path = join(folder, 'resolv.conf')
    const lines = [
      'search example.org',
      'nameserver 192.0.2.53 # home',
      '#nameserver 192.0.2.1',
      'nameserver nonsense',
    ]
    writeFileSync(
      path,
      [
        ...lines,
        'nameserver 2001:DB8::53',
        '  nameserver 192.0.2.53',
        'nameserver 192.0.2.54',
        'nameserver 192.0.2.55',
      ].join('\n'),
    )
    expect(await systemResolvers(path)).toEqual(
      ['192.0.2.53', '2001:db8::53', '192.0.2.54'].map((address) => ({ address, port: 53 })),
    )
    expect(await systemResolvers(join(folder, 'absent'))).toEqual([])
  })
})
