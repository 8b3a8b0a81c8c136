/** The PowerDNS provider against a real PowerDNS: the contract, and what only PowerDNS has. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { PowerDnsProvider } from '../../../../src/features/dns/providers/powerdns/provider.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { RrsetChange } from '../../../../src/features/dns/providers/port.ts'
import { dnsProviderContract } from '../../../contract/dns-provider.ts'
import type { OpenProvider } from '../../../contract/dns-provider/opened.ts'
import { presentation } from '../../../contract/dns-provider/presentation.ts'
import { strangersContract } from '../../../contract/dns-provider/strangers.ts'
import { itInDepth, itOneIn } from '../../../kit/in-depth.ts'
import { TIER } from '../../../kit/tier.ts'
import { describePeers } from '../../../peers/peers.ts'
import { POWERDNS_PROGRAMS, type PowerDns, startPowerDns } from '../../../peers/powerdns.ts'
import { transferred } from '../../../peers/transferred.ts'

describePeers(POWERDNS_PROGRAMS, 'PowerDNS', () => {
  const http = createHttpClient({ clock: systemClock })
  let server: PowerDns
  let count = 0
  beforeAll(async () => {
    server = await startPowerDns()
  })
  afterAll(async () => {
    await http.close()
    await server.stop()
  })

  const provider = (url = server.origin, secret = server.api_key) =>
    new PowerDnsProvider({ account: 'default', url, api_key: new Secret(secret), http })

  const newZone = async (fields?: Readonly<Record<string, unknown>>): Promise<string> => {
    const zone = `z${++count}.example.org`
    await server.addZone(zone, fields)
    return zone
  }

  const zonePath = (zone: string) => `/zones/${zone}.`
  const patch = (zone: string, ...rrsets: readonly unknown[]) =>
    server.api('PATCH', zonePath(zone), { rrsets })
  const signal = () => new AbortController().signal

  const open: OpenProvider = async () => {
    const zone = await newZone()
    return {
      provider: provider(),
      zone,
      world: {
        look: transferred(server.dns_port, zone),
        addForeign: async ({ name, type, ttl, values }) => {
          const records = values.map((value) => ({ content: presentation(type, value), disabled: false }))
          await patch(zone, { name: `${name}.`, type, ttl, changetype: 'REPLACE', records })
        },
      },
      withCredential: (secret) => provider(server.origin, secret),
      atPort: (port) => provider(`http://127.0.0.1:${port}`),
      failAt: (name) => server.failAt(name),
      close: async () => void (await server.api('DELETE', zonePath(zone))),
    }
  }

  if (TIER !== 'gate') dnsProviderContract('powerdns', open)
  // The gate asks what would harm strangers, and leaves the rest to the faked one (test/fuzz/dns).
  else
    describe('the contract of DNS providers: powerdns', () => {
      describe('strangers', () => strangersContract(open))
    })

  interface StoredRrset {
    readonly name: string
    readonly type: string
    readonly ttl: number
    readonly records: readonly { content: string; disabled: boolean }[]
    readonly comments: readonly { content: string; account: string; modified_at: number }[]
  }

  const stored = async (zone: string, name: string, type: string): Promise<StoredRrset | null> => {
    const { rrsets } = (await server.api('GET', zonePath(zone))) as { rrsets: readonly StoredRrset[] }
    return rrsets.find((set) => set.name === `${name}.` && set.type === type) ?? null
  }

  const a = (name: string, values: readonly string[] | null, comment: string | null = null): RrsetChange => ({
    name,
    type: 'A',
    wanted: values === null ? null : { ttl: 300, values, comment, proxied: null },
    seen: null,
  })

  describe('comments of people', () => {
    const theirs = { content: 'ask Anna before you touch this', account: 'anna', modified_at: 1_700_000_000 }

    it('stay as they are when we write, mark and change the set', async () => {
      const zone = await newZone()
      const name = `app.${zone}`
      const records = [{ content: '192.0.2.1', disabled: false }]
      await patch(zone, {
        name: `${name}.`,
        type: 'A',
        ttl: 60,
        changetype: 'REPLACE',
        records,
        comments: [theirs],
      })
      const listed = async () => (await provider().list(zone, signal())).find((set) => set.name === name)
      expect(await listed()).toMatchObject({ comment: null })
      for (const comment of ['cp1:x:1', 'cp1:x:2', null]) {
        await provider().change(zone, [a(name, ['192.0.2.2'], comment)], signal())
        expect(await listed()).toMatchObject({ comment, values: ['192.0.2.2'] })
        expect((await stored(zone, name, 'A'))!.comments).toContainEqual(theirs)
      }
    })

    itInDepth('go with the set when it is taken away, and none is left without one', async () => {
      const zone = await newZone()
      const name = `app.${zone}`
      await provider().change(zone, [a(name, ['192.0.2.2'], 'cp1:x:1')], signal())
      await provider().change(zone, [a(name, null)], signal())
      expect(await stored(zone, name, 'A')).toBeNull()
    })
  })

  describe('records that somebody disabled', () => {
    const disabled = { content: '198.51.100.1', disabled: true }

    it('are not listed, and outlive every change of their set', async () => {
      const zone = await newZone()
      const name = `app.${zone}`
      const records = [{ content: '192.0.2.1', disabled: false }, disabled]
      await patch(zone, { name: `${name}.`, type: 'A', ttl: 60, changetype: 'REPLACE', records })
      const values = async () =>
        (await provider().list(zone, signal())).find((set) => set.name === name)?.values
      expect(await values()).toEqual(['192.0.2.1'])
      await provider().change(zone, [a(name, ['192.0.2.2'])], signal())
      expect(await values()).toEqual(['192.0.2.2'])
      expect((await stored(zone, name, 'A'))!.records).toContainEqual(disabled)
      await provider().change(zone, [a(name, null)], signal())
      expect(await values()).toBeUndefined()
      expect((await stored(zone, name, 'A'))!.records).toEqual([disabled])
      await provider().change(zone, [a(name, ['192.0.2.3'])], signal())
      expect(await values()).toEqual(['192.0.2.3'])
      expect((await stored(zone, name, 'A'))!.records).toContainEqual(disabled)
    })

    itInDepth('come to life when their value is wanted', async () => {
      const zone = await newZone()
      const name = `app.${zone}`
      await patch(zone, { name: `${name}.`, type: 'A', ttl: 60, changetype: 'REPLACE', records: [disabled] })
      await provider().change(zone, [a(name, ['198.51.100.1'])], signal())
      expect((await stored(zone, name, 'A'))!.records).toEqual([{ content: '198.51.100.1', disabled: false }])
    })
  })

  describe('the stamp', () => {
    itOneIn(4).each([
      ['DEFAULT', true],
      ['INCREASE', true],
      ['SOA-EDIT-INCREASE', true],
      ['', false],
      ['EPOCH', false],
      ['SOA-EDIT', false],
      ['INCEPTION-INCREMENT', false],
    ])('of a zone whose soa_edit_api is "%s" is there: %s', async (soa_edit_api, told) => {
      const zone = await newZone()
      await server.api('PUT', zonePath(zone), { soa_edit_api })
      const stamps = []
      for (const host of [1, 2, 3]) {
        await provider().change(zone, [a(`app.${zone}`, [`192.0.2.${host}`])], signal())
        stamps.push(await provider().stamp(zone, signal()))
      }
      if (told) expect(new Set(stamps).size).toBe(3)
      else expect(stamps).toEqual([null, null, null])
    })
  })

  describe('zones', () => {
    itOneIn(3).each([
      ['Native', true],
      ['Master', true],
      ['Slave', false],
      ['Producer', false],
      ['Consumer', false],
    ])('of the kind %s may be written: %s', async (kind, writable) => {
      const is_copy = kind === 'Slave' || kind === 'Consumer'
      const zone = await newZone({ kind, ...(is_copy ? { nameservers: [], masters: ['192.0.2.53'] } : {}) })
      const found = (await provider().zones(signal())).find(({ name }) => name === zone)
      expect(found).toMatchObject({
        writable,
        detail: writable ? null : (expect.stringContaining(kind) as string),
      })
      const changing = provider().change(zone, [a(`app.${zone}`, ['192.0.2.1'])], signal())
      if (writable) expect(await changing).toEqual([{ ok: true, ids: [] }])
      else await expect(changing).rejects.toMatchObject({ code: 'provider_refused' })
    })

    itInDepth('are ordered by name, and their odd names are understood', async () => {
      const odd = ['64/26.2.0.192.in-addr.arpa', `_udp.z${++count}.example.org`]
      for (const zone of odd) {
        await server.api('POST', '/zones', {
          name: `${zone}.`,
          kind: 'Native',
          nameservers: ['ns1.servers.test.'],
        })
        expect(await provider().list(zone, signal())).toMatchObject([{ name: zone, type: 'NS' }])
        await provider().change(zone, [a(`65.${zone}`, ['192.0.2.1'])], signal())
        expect(await provider().list(zone, signal())).toHaveLength(2)
      }
      const names = (await provider().zones(signal())).map(({ name }) => name)
      expect(names).toEqual([...names].sort())
      expect(names).toEqual(expect.arrayContaining(odd))
    })
  })

  itInDepth('writes that meet go one after the other', async () => {
    const zone = await newZone()
    const one = provider()
    const names = Array.from({ length: 20 }, (_, i) => `n${i}.${zone}`)
    await Promise.all(names.map((name) => one.change(zone, [a(name, ['192.0.2.1'])], signal())))
    const listed = (await one.list(zone, signal())).map(({ name }) => name)
    expect(listed).toEqual(expect.arrayContaining(names))
  })

  itInDepth('a backend without comments is served without them', async () => {
    const zone = await newZone()
    const plain = new PowerDnsProvider({
      account: 'default',
      url: `${server.origin}/`,
      api_key: new Secret(server.api_key),
      http,
      comments: false,
    })
    expect(plain.traits.comment_most).toBeNull()
    await plain.change(zone, [a(`app.${zone}`, ['192.0.2.1'], 'nowhere to put it')], signal())
    expect((await stored(zone, `app.${zone}`, 'A'))!.comments).toEqual([])
  })
})
