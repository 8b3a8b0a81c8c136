/** What the records ask of DNS, and what an address is taken from. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../../src/kernel/digest.ts'
import type { ReportedAddress } from '../../../../src/model/network/dns.ts'
import { dnsCodec } from '../../../../src/features/dns/target/codec.ts'
import { desireDns } from '../../../../src/features/dns/target/desire.ts'
import { addressesOf, wantedSets } from '../../../../src/features/dns/target/deciding/wanted.ts'
import { desiredOf, dnsIntent, type RowWish, someSettings } from './rows.ts'

const report = (host: string, ipv4: string | null, ipv6: string | null = null): ReportedAddress => ({
  host,
  ipv4,
  ipv6,
  changed_at: 1,
  reported_at: 1,
})

describe('a record', () => {
  it.each<[string, RowWish, 'wanted' | 'kept' | 'retired' | 'unpublished']>([
    ['is wanted when it is live', {}, 'wanted'],
    ['is kept when it is not', { live: false }, 'kept'],
    ['is retired when it was disabled', { retired: true }, 'retired'],
    ['is not published when it is internal', { service_type: 'internal' }, 'unpublished'],
    ['is not published when it is managed elsewhere', { service_type: 'manual' }, 'unpublished'],
    ['is not published when internal and not live', { service_type: 'internal', live: false }, 'unpublished'],
    ['is retired whatever it was', { service_type: 'internal', retired: true }, 'retired'],
  ])('%s', (_title, wish, list) => {
    const desired = desiredOf([wish])
    const all = ['wanted', 'kept', 'retired', 'unpublished'] as const
    expect(all.filter((name) => desired[name].length > 0)).toEqual([list])
  })

  it.each<[string, RowWish, readonly ReportedAddress[], readonly string[]]>([
    ['its own address', { static_ip: '192.0.2.5' }, [report('hub.example.net', '192.0.2.8')], ['192.0.2.5']],
    [
      'what was reported for itself',
      { ddns_enabled: true },
      [report('app.example.com', '192.0.2.6', '2001:db8::6'), report('hub.example.net', '192.0.2.8')],
      ['192.0.2.6', '2001:db8::6'],
    ],
    [
      'what was reported for the hub, when it does not take reports itself',
      {},
      [report('app.example.com', '192.0.2.6'), report('hub.example.net', '192.0.2.8')],
      ['192.0.2.8'],
    ],
    [
      'what was reported for the hub, when nothing was for itself',
      { ddns_enabled: true },
      [report('app.example.com', null), report('hub.example.net', null, '2001:db8::8')],
      ['2001:db8::8'],
    ],
    ['the public address', { ddns_enabled: true }, [], ['192.0.2.1', '2001:db8::1']],
  ])('has %s', (_title, wish, reports, addresses) => {
    const { wanted } = desiredOf([wish], {
      public_ip: ['192.0.2.1', '2001:db8::1'],
      hub_host: 'hub.example.net',
    })
    expect(addressesOf(wanted[0]!, new Map(reports.map((each) => [each.host, each])))).toEqual(addresses)
  })

  it('whose address nobody knows has no set', () => {
    const desired = desiredOf([{}], { public_ip: [] })
    const { sets, unaddressed } = wantedSets(desired, { zone: 'example.com', deeper: [], reported: [] })
    expect([sets.size, unaddressed.map(({ name }) => name)]).toEqual([0, ['app.example.com']])
  })

  it('in a deeper zone is not wanted in the one above', () => {
    const desired = desiredOf([
      { domain: 'a.sub.example.com' },
      { domain: 'sub.example.com' },
      { domain: 'asub.example.com' },
    ])
    const { sets } = wantedSets(desired, { zone: 'example.com', deeper: ['sub.example.com'], reported: [] })
    expect([...sets.keys()]).toEqual(['asub.example.com A'])
  })
})

describe('a release', () => {
  const rows = fc.array(
    fc.record({
      domain: fc.stringMatching(/^[a-z]{1,8}\.example\.com$/),
      static_ip: fc.option(fc.constantFrom('192.0.2.1', '2001:db8::1')),
      live: fc.boolean(),
      retired: fc.boolean(),
      dns_ttl: fc.option(fc.integer({ min: 30, max: 86_400 })),
      dns_proxied: fc.option(fc.boolean()),
      ddns_enabled: fc.boolean(),
    }),
  )

  it('gives back exactly what was frozen, and the same bytes for the same state', () => {
    fc.assert(
      fc.property(rows, (wishes) => {
        const desired = desiredOf(wishes)
        const { digest, chunks } = dnsCodec.freeze(desired)
        const thawed = dnsCodec.thaw(chunks)
        expect(thawed).toEqual(desired)
        expect(dnsCodec.freeze(thawed)).toEqual({ digest, chunks })
      }),
    )
  })

  it('is kept as canonical JSON, line by line', () => {
    fc.assert(
      fc.property(rows, (wishes) => {
        const text = Buffer.concat(dnsCodec.freeze(desiredOf(wishes)).chunks).toString()
        for (const line of text.trimEnd().split('\n')) expect(line).toBe(canonicalJson(JSON.parse(line)))
      }),
    )
  })

  it('does not depend on the order of the rows', () => {
    const intent = dnsIntent(
      { domain: 'a.example.com' },
      { domain: 'b.example.com' },
      { domain: 'b.example.com', retired: true },
    )
    const turned = { rows: intent.rows.toReversed() }
    expect(desireDns(turned, someSettings())).toEqual(desireDns(intent, someSettings()))
  })

  it('changes one chunk for one record', () => {
    const wishes = Array.from({ length: 2000 }, (_, i) => ({ domain: `n${i}.example.com` }))
    const chunks = (list: readonly RowWish[]) =>
      dnsCodec.freeze(desiredOf(list)).chunks.map((chunk) => Buffer.from(chunk).toString())
    const before = new Set(chunks(wishes))
    expect(before.size).toBeGreaterThan(8)
    const after = chunks(
      wishes.with(1000, { ...wishes[1000]!, static_ip: '192.0.2.99' } as (typeof wishes)[0]),
    )
    expect(after.filter((chunk) => !before.has(chunk))).toHaveLength(1)
  })

  it('of a form that is not known is refused', () => {
    expect(() => dnsCodec.thaw([Buffer.from('{"form":2}\n')])).toThrow(/form 2/)
  })
})
