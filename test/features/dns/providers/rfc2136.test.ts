/** The rfc2136 provider keeps the contract of DNS providers at real servers, and names what they refuse. */
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { dnsProviderContract } from '../../../contract/dns-provider.ts'
import { strangersContract } from '../../../contract/dns-provider/strangers.ts'
import { digShort } from '../../../peers/dig.ts'
import { describePeers } from '../../../peers/peers.ts'
import {
  KEYS,
  type NameServer,
  newZoneName,
  nsupdate,
  openZone,
  providerAt,
  SOFTWARE,
} from './real-name-servers.ts'
import { never, wish } from './zone-folder.ts'
import { sample, TIER } from '../../../kit/tier.ts'
import { itInDepth, itOneIn } from '../../../kit/in-depth.ts'

const HOUR_MS = 3_600_000
const shifted = (by_ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + by_ms })

async function failureOf(work: () => Promise<unknown>): Promise<Failure> {
  const thrown = await work().then(
    () => null,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(Failure)
  return thrown as Failure
}

for (const { title, programs, start } of sample(SOFTWARE, SOFTWARE.length))
  describePeers(programs, `rfc2136 at ${title}`, () => {
    let server: NameServer
    let zone = ''
    const at = (over: Partial<Parameters<typeof providerAt>[1]> = {}) =>
      providerAt(server.dns_port, { zones: [zone], ...over })
    beforeAll(async () => {
      server = await start(KEYS)
      zone = newZoneName()
      await server.addZone(zone)
    })
    afterAll(() => server?.stop())

    const open = () => openZone(server)
    // In the gate, of the contract, what would harm others.
    if (TIER === 'gate')
      describe(`the contract of DNS providers: rfc2136, ${title}`, () => {
        describe('strangers', () => strangersContract(open))
      })
    else dnsProviderContract(`rfc2136, ${title}`, open)

    describe('a key', () => {
      itOneIn(KEYS.length).each(KEYS)(
        '$name with $algorithm may list, ask and change',
        async ({ name, algorithm, secret }) => {
          const provider = at({ key: { name, algorithm, secret } })
          const host = `${name}.${zone}`
          const before = await provider.stamp(zone, never)
          expect(await provider.change(zone, [wish(host, 'A', ['192.0.2.1'])], never)).toEqual([
            { ok: true, ids: [] },
          ])
          expect(await provider.stamp(zone, never)).not.toBe(before)
          expect(await provider.list(zone, never)).toContainEqual(
            expect.objectContaining({ name: host, values: ['192.0.2.1'] }),
          )
        },
      )

      const WRONG = 'd3JvbmcgYW5kIHNlY3JldA=='
      itOneIn(3).each([
        ['with a wrong secret', { secret: WRONG }],
        ['that is unknown', { name: 'nobodys-key' }],
        ['with another algorithm', { algorithm: 'hmac-sha512' as const }],
      ])('%s is told by name and cure, and never shown', async (_what, key) => {
        const provider = at({ key })
        for (const work of [
          () => provider.zones(never),
          () => provider.stamp(zone, never),
          () => provider.list(zone, never),
          () => provider.change(zone, [wish(`unseen.${zone}`, 'A', ['192.0.2.1'])], never),
        ]) {
          const failure = await failureOf(work)
          expect(failure.code).toBe('provider_credentials')
          expect(failure.message).toContain(`zone ${zone}`)
          expect(failure.message).toMatch(/key (?:main-key|nobodys-key)/)
          expect(failure.message).toMatch(/secret|algorithm/)
          expect(inspect(failure, { depth: 10 })).not.toContain(WRONG)
        }
        expect(await digShort(server.dns_port, `unseen.${zone}`, 'A')).toEqual([])
      })

      itInDepth.each([HOUR_MS, -HOUR_MS])(
        'used by a clock that is off by %i ms is told so, or what it may be',
        async (by_ms) => {
          const provider = at({ clock: shifted(by_ms) })
          for (const work of [
            () => provider.zones(never),
            () => provider.list(zone, never),
            () => provider.change(zone, [wish(`unseen.${zone}`, 'A', ['192.0.2.1'])], never),
          ]) {
            const failure = await failureOf(work)
            // PowerDNS gives no reason and no time.
            expect(failure.code).toBe(title === 'PowerDNS' ? 'provider_credentials' : 'component_unavailable')
            expect(failure.message).toMatch(
              title === 'PowerDNS'
                ? /key .*clock .*access list/
                : /clocks differ by (?:3600|3599|3601) s \(server 20\d\d-.*, here 20\d\d-/,
            )
          }
        },
      )
    })

    describe('a zone', () => {
      it('that the server does not have is shown and not written', async () => {
        const elsewhere = 'elsewhere.example.net'
        const provider = at({ zones: [zone, elsewhere] })
        expect(await provider.zones(never)).toEqual([
          {
            name: elsewhere,
            account: 'default',
            writable: false,
            detail: expect.stringMatching(/not in charge/) as unknown,
          },
          { name: zone, account: 'default', writable: true, detail: null },
        ])
        for (const work of [
          () => provider.list(elsewhere, never),
          () => provider.stamp(elsewhere, never),
          () => provider.change(elsewhere, [wish(`a.${elsewhere}`, 'A', ['192.0.2.1'])], never),
        ])
          expect(await failureOf(work)).toMatchObject({
            code: 'component_unavailable',
            message: expect.stringContaining(elsewhere) as unknown,
          })
      })

      it('below a name that is served is no zone', async () => {
        const below = `below.${zone}`
        expect(await at({ zones: [below] }).zones(never)).toMatchObject([{ name: below, writable: false }])
      })

      itInDepth('of many messages is listed whole', async () => {
        const large = newZoneName()
        await server.addZone(large)
        const text = 'x'.repeat(250)
        const names = Array.from({ length: 1500 }, (_, at_) => `n${at_}.${large}`)
        for (let from = 0; from < names.length; from += 125)
          await nsupdate(server.dns_port, [
            `zone ${large}.`,
            ...names.slice(from, from + 125).map((name) => `update add ${name}. 60 IN TXT "${text}"`),
          ])
        const listed = await at().list(large, never)
        expect(
          listed
            .filter(({ type }) => type === 'TXT')
            .map(({ name }) => name)
            .sort(),
        ).toEqual([...names].sort())
      })

      itInDepth('shows types that we have no grammar for', async () => {
        const lines = [`update add _443._tcp.${zone}. 60 IN TLSA 3 1 1 ${'AB'.repeat(32)}`]
        // PowerDNS refuses types that it does not know itself.
        const type = title === 'PowerDNS' ? 'EUI48' : 'TYPE65300'
        lines.push(
          `update add odd.${zone}. 60 IN ${title === 'PowerDNS' ? 'EUI48 00-00-5e-00-53-2a' : `${type} \\# 6 00005e00532a`}`,
        )
        await nsupdate(server.dns_port, [`zone ${zone}.`, ...lines])
        const listed = await at().list(zone, never)
        expect(listed).toContainEqual(
          expect.objectContaining({ name: `odd.${zone}`, type, values: ['\\# 6 00005e00532a'] }),
        )
        expect(listed).toContainEqual(
          expect.objectContaining({ type: 'TLSA', values: [`3 1 1 ${'ab'.repeat(32)}`] }),
        )
      })
    })

    describe('an alias', () => {
      it('that must be new and meets a record is refused, and nothing of the batch is done', async () => {
        await nsupdate(server.dns_port, [`zone ${zone}.`, `update add full.${zone}. 60 IN TXT "here first"`])
        const batch = [
          wish(`full.${zone}`, 'CNAME', ['b.example.net']),
          wish(`beside.${zone}`, 'A', ['192.0.2.1']),
        ]
        expect(await failureOf(() => at().change(zone, batch, never))).toMatchObject({
          code: 'provider_refused',
        })
        expect(await digShort(server.dns_port, `beside.${zone}`, 'A')).toEqual([])
        expect(await digShort(server.dns_port, `full.${zone}`, 'TXT')).toEqual(['"here first"'])
      })

      it('that a server leaves out in silence is not taken for done', async () => {
        const name = `mixed.${zone}`
        await nsupdate(server.dns_port, [
          `zone ${zone}.`,
          `update add ${name}. 60 IN TXT "stays"`,
          `update add ${name}. 60 IN A 192.0.2.1`,
        ])
        const seen = (await at().list(zone, never)).find((set) => set.name === name && set.type === 'A')!
        const batch = [wish(name, 'CNAME', ['b.example.net']), wish(name, 'A', null, { seen })]
        const done = await at()
          .change(zone, batch, never)
          .then(
            (outcomes) => outcomes[0],
            (error: Failure) => error,
          )
        expect(done).toMatchObject({ code: 'provider_refused' })
        expect(await digShort(server.dns_port, name, 'TXT')).toEqual(['"stays"'])
      })
    })

    itInDepth('more sets than fit into one message all arrive', async () => {
      // Longer ones break PowerDNS 4.7 itself: it puts a hundred records into a message of a transfer, whatever their size.
      const text = 'y'.repeat(450)
      const batch = Array.from({ length: 200 }, (_, i) => wish(`m${i}.${zone}`, 'TXT', [text]))
      expect(await at().change(zone, batch, never)).toEqual(batch.map(() => ({ ok: true, ids: [] })))
      const listed = await at().list(zone, never)
      expect(listed.filter(({ values }) => values[0] === text)).toHaveLength(200)
    })

    it('the name servers of the zone itself are refused before anything is sent', async () => {
      const before = await at().stamp(zone, never)
      expect(
        await failureOf(() => at().change(zone, [wish(zone, 'NS', ['ns.example.net'])], never)),
      ).toMatchObject({ code: 'provider_refused' })
      expect(await at().stamp(zone, never)).toBe(before)
    })
  })
