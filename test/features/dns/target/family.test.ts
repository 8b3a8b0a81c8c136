/** Which zones have a target, and where a name belongs. */
import { describe, expect, it, vi } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import type { DnsZone } from '../../../../src/model/network/dns.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import { dnsFamily } from '../../../../src/features/dns/target/family.ts'
import { ZoneIndex } from '../../../../src/features/dns/target/zones/zone-index.ts'
import { ZoneLock } from '../../../../src/features/dns/target/zones/zone-lock.ts'
import { benchWith, INSTALLATION, owned, ZONE, stampAt } from './bench.ts'
import { MemoryLedger } from './memory-ledger.ts'
import { MemoryProvider, zoneOf } from './memory-provider.ts'
import { desiredOf, dnsIntent, dnsRow, someSettings } from './rows.ts'

function familyWith(zones: readonly DnsZone[], maker: string | null = null) {
  const zone_index = new ZoneIndex(maker === null ? null : { account: maker, only: [] })
  zone_index.setZones(zones)
  const family = dnsFamily({
    providers: [new MemoryProvider('powerdns_like')],
    settings: someSettings(),
    store: new MemoryLedger(),
    installation_id: INSTALLATION,
    worldStamp: async () => stampAt(1),
    zone_index,
    lock: new ZoneLock(),
    clock: { now: () => 0, elapsed: () => 0, sleep: () => Promise.resolve() },
    log: silentLog,
  })
  return { zone_index, family }
}

describe('targets', () => {
  const intent = dnsIntent(
    { domain: 'app.example.com' },
    { domain: 'x.sub.example.com' },
    { domain: 'old.example.org', live: false },
    { domain: 'gone.example.net', retired: true },
    { domain: 'in.example.edu', service_type: 'internal' },
    { domain: 'nowhere.example.test' },
  )
  const zones = ['example.com', 'sub.example.com', 'example.org', 'example.net', 'example.edu'].map((name) =>
    zoneOf(name),
  )

  it('stand for zones that have something to do with the intent, and are the same objects every time', () => {
    const { family, zone_index } = familyWith(zones)
    const targets = family.targetsFor(intent)
    expect(targets.map(({ key }) => key)).toEqual([
      'dns:example.com',
      'dns:example.net',
      'dns:example.org',
      'dns:sub.example.com',
    ])
    zone_index.setZones(zones.slice(0, 1))
    expect(family.targetsFor(intent).map(({ key }) => key)).toEqual(['dns:example.com'])
    expect(family.targetsFor(intent)[0]).toBe(targets[0])
    expect(family.targetsFor({ rows: [...intent.rows] })[0]).toBe(targets[0])
    expect(family.withoutZone(intent)).toEqual(['nowhere.example.test'])
  })

  it('of a zone in two accounts, the one where sets of ours stand goes on, and one that may be written goes before it', () => {
    const both = [zoneOf(ZONE, { account: 'new' }), zoneOf(ZONE, { account: 'old' })]
    const { zone_index, family } = familyWith(both)
    expect(family.zoneFor('app.example.com')?.account).toBe('new')
    zone_index.setOwned([owned({ account: 'old' })])
    expect(family.zoneFor('app.example.com')?.account).toBe('old')
    zone_index.setZones(both)
    expect(family.zoneFor('app.example.com')?.account).toBe('old')
    zone_index.setZones([both[0]!, { ...both[1]!, writable: false }])
    expect(family.zoneFor('app.example.com')?.account).toBe('new')
  })

  it('stand for a zone that would be made as soon as no account keeps silent that may have it', () => {
    const { family, zone_index } = familyWith([], 'default')
    const same = dnsIntent({ domain: 'app.example.com' })
    const keysNow = () => family.targetsFor(same).map(({ key }) => key)
    zone_index.silent = () => ['other']
    expect(keysNow()).toEqual([])
    zone_index.silent = () => []
    expect(keysNow()).toEqual(['dns:example.com'])
  })

  it('stand for zones that only the ledger knows', () => {
    const { family, zone_index } = familyWith([])
    zone_index.setOwned([owned({ domain_id: 3 })])
    expect(family.targetsFor(dnsIntent()).map(({ key }) => key)).toEqual(['dns:example.com'])
    const [target] = family.targetsFor(dnsIntent())
    expect(target!.concerns!(dnsRow({ domain_id: 3, domain: 'other.example.org' }))).toBe(true)
    expect(target!.concerns!(dnsRow({ domain_id: 4, domain: 'other.example.org' }))).toBe(false)
  })

  it('concern the records whose names they hold', () => {
    const { family } = familyWith(zones)
    const target = family.target('example.com')
    expect(target.concerns!(dnsRow({ domain: '*.example.com' }))).toBe(true)
    expect(target.concerns!(dnsRow({ domain: 'x.sub.example.com' }))).toBe(false)
    expect(target.concerns!(dnsRow({ domain: 'x.example.com', service_type: 'internal' }))).toBe(false)
  })

  it('are hinted when addresses change, until nobody watches', () => {
    const { family } = familyWith(zones)
    let hints = 0
    const watcher = family.target('example.com').watch(() => void hints++)
    family.changed()
    watcher.close()
    family.changed()
    expect(hints).toBe(1)
  })
})

describe('a name', () => {
  it.each<[string, string | null, boolean]>([
    ['app.example.com', 'example.com', false],
    ['example.com', 'example.com', false],
    ['*.example.com', 'example.com', false],
    ['a.sub.example.com', 'sub.example.com', false],
    ['*.sub.example.com', 'sub.example.com', false],
    ['badexample.com', 'badexample.com', true],
    ['a.b.example.co.uk', 'example.co.uk', true],
    ['*.example.co.uk', 'example.co.uk', true],
    ['me.github.io', 'me.github.io', true],
    ['x.me.github.io', 'me.github.io', true],
    ['github.io', null, false],
    ['co.uk', null, false],
    ['nas.home.arpa', 'nas.home.arpa', true],
  ])('%s belongs to %s', (name, zone, planned) => {
    const { family } = familyWith([zoneOf('example.com'), zoneOf('sub.example.com')], 'default')
    const found = family.zoneFor(name)
    expect([found?.name ?? null, found?.planned ?? false]).toEqual([zone, planned])
  })

  it('belongs to nobody where no account makes zones', () => {
    expect(familyWith([]).family.zoneFor('app.example.com')).toBeNull()
  })

  it('has no zone that would be made while an account that may have it does not answer', () => {
    const { family, zone_index } = familyWith([zoneOf('example.com')], 'default')
    zone_index.silent = (zone) => (zone === 'example.org' ? ['cloud'] : [])
    expect(family.zoneFor('app.example.org')).toBeNull()
    // Its account cannot have this one.
    expect(family.zoneFor('app.example.net')).toMatchObject({ name: 'example.net', planned: true })
    expect(family.zoneFor('app.example.com')?.name).toBe('example.com')
  })

  it('of a zone in two accounts belongs to the one that may be written', () => {
    const paused = zoneOf('example.com', { account: 'old', writable: false, detail: 'paused' })
    const { family } = familyWith([paused, zoneOf('example.com', { account: 'new' }), zoneOf('example.com')])
    expect(family.zoneFor('example.com')?.account).toBe('new')
  })
})

describe('a zone that is not there yet', () => {
  it('is made for the first wanted name, and only then', async () => {
    const provider = new MemoryProvider('short_comments', ZONE, { exists: false })
    const at = benchWith(provider, [])
    expect(await at.pass(desiredOf([{ retired: true }]))).toMatchObject({ known: true, deeds: [], left: 0 })
    expect(provider.now().size).toBe(0)
    expect(await at.pass(desiredOf([{}]))).toMatchObject({ deeds: ['create A app.example.com'], left: 0 })
    expect(at.zone_index.zoneFor('app.example.com')).toMatchObject({ name: ZONE, planned: false })
    expect(provider.now().has('app.example.com A')).toBe(true)
  })

  it('that cannot be made leaves everything to the next pass', async () => {
    const provider = new MemoryProvider('short_comments', ZONE, { exists: false })
    const at = benchWith(provider, [])
    vi.spyOn(provider, 'makeZone').mockRejectedValueOnce(new Failure('provider_refused', 'no'))
    const report = await at.pass(desiredOf([{}]))
    expect(report.repairs).toEqual([
      {
        key: 'app.example.com A',
        ok: false,
        failure: { code: 'provider_refused', message: 'no', retry_after_ms: 0 },
      },
    ])
    expect(at.ledger.rows.size).toBe(0)
    expect(await at.pass(desiredOf([{}]))).toMatchObject({ left: 0 })
  })

  it('is not made anew where sets of ours stood in it: it is unknown until somebody puts it back', async () => {
    const provider = new MemoryProvider('short_comments', ZONE, { exists: false })
    const at = benchWith(provider, [])
    const desired = desiredOf([{}])
    await at.pass(desired)
    provider.lose()
    at.zone_index.setZones([])
    expect(await at.pass(desired)).toMatchObject({ known: false, repairs: [] })
    expect(await provider.zones(new AbortController().signal)).toEqual([])
    await provider.makeZone(ZONE, new AbortController().signal)
    expect(await at.pass(desired)).toMatchObject({ known: true, left: 0 })
  })

  it('is made after a crash that came before anything stood in it', async () => {
    const at = benchWith(new MemoryProvider('short_comments', ZONE, { exists: false }), [])
    at.ledger.put(owned({ state: 'sending' }))
    expect(await at.pass(desiredOf([{}]))).toMatchObject({ known: true, left: 0 })
  })
})
