/** The store contract: zones, the record sets that are ours, reported addresses and the tokens of gateways. */
import { expect, test } from 'vitest'
import { endedDigest } from '../../../src/kernel/issued-secret.ts'
import type { DnsZone, OwnedRrset, ReportedAddress } from '../../../src/model/network/dns.ts'
import { ddnsRecords, type DdnsToken, type PendingAddress } from '../../../src/features/ddns/records.ts'
import type { StoreWriter } from '../../../src/ports/store.ts'
import { eachStore, failureOf, type OpenStore } from './opened.ts'
import { dnsRecords } from '../../../src/features/dns/records.ts'

const OWNED: OwnedRrset = {
  account: 'cloudflare',
  zone: 'example.com',
  name: '*.example.com',
  type: 'A',
  domain_id: 7,
  state: 'sending',
  ttl: 300,
  values: ['192.0.2.1', '192.0.2.2'],
  proxied: true,
  ids: ['372e67954025e0ba6aaa6d586b9e0b59', 'quote " and \\'],
  sent_at: 1000,
}

const ZONE: DnsZone = { name: 'example.com', account: 'cloudflare', writable: true, detail: null }

const HOME: ReportedAddress = {
  host: 'home.example.com',
  ipv4: '192.0.2.1',
  ipv6: null,
  changed_at: 1000,
  reported_at: 2000,
}

const TOKEN: DdnsToken = {
  id: 'token-1',
  host: 'home.example.com',
  digest: 'ab'.repeat(32),
  label: 'attic router',
  created_at: 1000,
  expires_at: null,
  last_used_at: null,
}

export function dnsContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)

  test('a store without DNS says so in each answer', async () => {
    const { store } = opened
    expect(await store.of(dnsRecords).ownedRrsets()).toEqual([])
    expect(await store.of(dnsRecords).dnsZones()).toEqual([])
    expect(await store.of(ddnsRecords).reportedAddresses()).toEqual([])
    expect(await store.of(ddnsRecords).addressHistory('home.example.com', 10)).toEqual([])
    expect(await store.of(ddnsRecords).ddnsTokens()).toEqual([])
    expect(await store.of(ddnsRecords).ddnsTokenByDigest(TOKEN.digest)).toBeNull()
    expect(await store.of(ddnsRecords).lastRotation()).toBeNull()
  })

  test('sets come back as they were saved, over a restart, ordered by zone, name and type', async () => {
    const bare = { ...OWNED, ttl: null, proxied: null, ids: [], values: [] }
    const sets: OwnedRrset[] = [
      { ...OWNED, zone: 'example.org', name: 'example.org', state: 'releasing' },
      { ...bare, name: 'app.example.com', type: 'AAAA', state: 'adopted' },
      { ...bare, name: 'app.example.com', type: 'A', proxied: false, state: 'owned' },
      OWNED,
    ]
    await write((tx) => tx.of(dnsRecords).saveOwnedRrsets(sets))
    expect(await opened.store.of(dnsRecords).ownedRrsets()).toEqual(sets.toReversed())
    expect(await (await opened.reopen()).of(dnsRecords).ownedRrsets()).toEqual(sets.toReversed())
  })

  test('a set that is saved again replaces the one with its account, zone, name and type, and no other', async () => {
    const others: OwnedRrset[] = [
      { ...OWNED, account: 'powerdns' },
      { ...OWNED, type: 'AAAA' },
    ]
    await write((tx) => tx.of(dnsRecords).saveOwnedRrsets([OWNED, ...others]))
    const later: OwnedRrset = {
      ...OWNED,
      domain_id: 9,
      state: 'owned',
      ttl: null,
      values: ['192.0.2.9'],
      proxied: false,
      ids: ['1'],
      sent_at: 2000,
    }
    await write((tx) => tx.of(dnsRecords).saveOwnedRrsets([OWNED, later]))
    expect(await opened.store.of(dnsRecords).ownedRrsets()).toEqual([later, ...others])
  })

  test('dropped sets are gone, their neighbours stay, and dropping what is not there does nothing', async () => {
    const twin: OwnedRrset = { ...OWNED, type: 'AAAA' }
    const elsewhere: OwnedRrset = { ...OWNED, account: 'powerdns' }
    await write((tx) => tx.of(dnsRecords).saveOwnedRrsets([OWNED, twin, elsewhere]))
    await write((tx) => tx.of(dnsRecords).dropOwnedRrsets([OWNED, { ...OWNED, name: 'never.example.com' }]))
    await write((tx) => tx.of(dnsRecords).dropOwnedRrsets([]))
    expect(await opened.store.of(dnsRecords).ownedRrsets()).toEqual([elsewhere, twin])
  })

  test('many sets are saved and dropped in one transaction', async () => {
    const many = Array.from({ length: 260 }, (_, i): OwnedRrset => ({
      ...OWNED,
      name: `n${String(i).padStart(3, '0')}.example.com`,
    }))
    await write((tx) => tx.of(dnsRecords).saveOwnedRrsets(many))
    expect(await opened.store.of(dnsRecords).ownedRrsets()).toEqual(many)
    await write((tx) => tx.of(dnsRecords).dropOwnedRrsets(many.slice(0, 259)))
    expect(await opened.store.of(dnsRecords).ownedRrsets()).toEqual(many.slice(259))
  })

  test('the set of a domain that is gone stays: what is at the provider is there all the same', async () => {
    await write((tx) => tx.of(dnsRecords).saveOwnedRrsets([OWNED]))
    await write((tx) => tx.deleteDomain(OWNED.domain_id))
    expect(await opened.store.of(dnsRecords).ownedRrsets()).toEqual([OWNED])
  })

  test('work that fails saves no set', async () => {
    const attempt = write(async (tx) => {
      await tx.of(dnsRecords).saveOwnedRrsets([OWNED])
      expect(await tx.of(dnsRecords).ownedRrsets()).toEqual([OWNED])
      throw new Error('the provider was away')
    })
    await expect(attempt).rejects.toThrow('the provider was away')
    expect(await opened.store.of(dnsRecords).ownedRrsets()).toEqual([])
  })

  test('a listing replaces the zones of its account and touches no other account', async () => {
    const paused: DnsZone = {
      name: 'example.net',
      account: 'cloudflare',
      writable: false,
      detail: 'is paused',
    }
    const other: DnsZone = { ...ZONE, account: 'hetzner' }
    await write((tx) => tx.of(dnsRecords).saveDnsZones('cloudflare', [paused, ZONE], 1000))
    await write((tx) => tx.of(dnsRecords).saveDnsZones('hetzner', [other], 1000))
    expect(await (await opened.reopen()).of(dnsRecords).dnsZones()).toEqual([ZONE, other, paused])
    await write((tx) =>
      tx.of(dnsRecords).saveDnsZones('cloudflare', [{ ...paused, writable: true, detail: null }], 2000),
    )
    expect(await opened.store.of(dnsRecords).dnsZones()).toEqual([
      other,
      { ...paused, writable: true, detail: null },
    ])
    await write((tx) => tx.of(dnsRecords).saveDnsZones('cloudflare', [], 3000))
    expect(await opened.store.of(dnsRecords).dnsZones()).toEqual([other])
  })

  test('a host has one reported address of each family, as last saved, over a restart', async () => {
    const hub: ReportedAddress = { ...HOME, host: 'hub.example.com', ipv4: null, ipv6: '2001:db8::1' }
    await write((tx) => tx.of(ddnsRecords).saveReportedAddress(hub))
    await write((tx) => tx.of(ddnsRecords).saveReportedAddress(HOME))
    const later = { ...HOME, ipv4: '192.0.2.2', ipv6: '2001:db8::2', changed_at: 3000, reported_at: 4000 }
    await write((tx) => tx.of(ddnsRecords).saveReportedAddress(later))
    expect(await (await opened.reopen()).of(ddnsRecords).reportedAddresses()).toEqual([later, hub])
    await write((tx) => tx.of(ddnsRecords).dropReportedAddress(hub.host))
    await write((tx) => tx.of(ddnsRecords).dropReportedAddress('never.example.com'))
    expect(await opened.store.of(ddnsRecords).reportedAddresses()).toEqual([later])
    expect(await (await opened.reopen()).of(ddnsRecords).reportedAddresses()).toEqual([later])
  })

  test('a host has one address of each type that waits, as last saved, over a restart, until it is dropped with it', async () => {
    const a: PendingAddress = {
      host: HOME.host,
      type: 'A',
      address: '192.0.2.7',
      asked_at: 1000,
      due_at: 2000,
      is_held: false,
      actor: 'token:1',
      by: { name: 'attic', request_id: 'r1' },
    }
    const aaaa: PendingAddress = { ...a, type: 'AAAA', address: '2001:db8::7', is_held: true }
    const other: PendingAddress = { ...a, host: 'other.example.com' }
    for (const one of [aaaa, other, a]) await write((tx) => tx.of(ddnsRecords).savePendingAddress(one))
    const later: PendingAddress = { ...a, address: '192.0.2.8', asked_at: 1500, is_held: true, due_at: 3000 }
    await write((tx) => tx.of(ddnsRecords).savePendingAddress(later))
    expect(await (await opened.reopen()).of(ddnsRecords).pendingAddresses()).toEqual([later, aaaa, other])
    await write((tx) => tx.of(ddnsRecords).dropPendingAddress(HOME.host, 'A'))
    expect(await opened.store.of(ddnsRecords).pendingAddresses()).toEqual([aaaa, other])
    await write((tx) => tx.of(ddnsRecords).dropReportedAddress(HOME.host))
    expect(await opened.store.of(ddnsRecords).pendingAddresses()).toEqual([other])
  })

  test('the history of a host is its own, newest first, at most as long as asked', async () => {
    const change = (host: string, address: string, at: number) =>
      ({ host, type: 'A', address, at, actor: 'token:1' }) as const
    const changes = [
      change('home.example.com', '192.0.2.1', 3000),
      change('other.example.com', '192.0.2.2', 1000),
      // The clock was set back: what came later stays later.
      change('home.example.com', '192.0.2.3', 2000),
      { ...change('home.example.com', '2001:db8::1', 2000), type: 'AAAA', actor: 'api-key' } as const,
    ]
    for (const one of changes) await write((tx) => tx.of(ddnsRecords).addAddressChange(one))
    const [first, , third, fourth] = changes
    const store = await opened.reopen()
    expect(await store.of(ddnsRecords).addressHistory('home.example.com', 10)).toEqual([fourth, third, first])
    expect(await store.of(ddnsRecords).addressHistory('home.example.com', 2)).toEqual([fourth, third])
    expect(await store.of(ddnsRecords).addressHistory('nobody.example.com', 10)).toEqual([])
  })

  test('a token is found by its digest alone, and listed by host, the oldest first', async () => {
    const next = { ...TOKEN, id: 'a-later-one', digest: 'cd'.repeat(32), created_at: 2000 }
    const attic = { ...TOKEN, id: 'token-3', digest: 'ef'.repeat(32), host: 'attic.example.com' }
    for (const token of [next, TOKEN, attic]) await write((tx) => tx.of(ddnsRecords).addDdnsToken(token))
    const store = await opened.reopen()
    expect(await store.of(ddnsRecords).ddnsTokens()).toEqual([attic, TOKEN, next])
    expect(await store.of(ddnsRecords).ddnsTokenByDigest(next.digest)).toEqual(next)
    expect(await store.of(ddnsRecords).ddnsTokenByDigest(TOKEN.digest.toUpperCase())).toBeNull()
    expect(await store.of(ddnsRecords).ddnsTokenByDigest('')).toBeNull()
  })

  test('two tokens never share an id or a digest', async () => {
    await write((tx) => tx.of(ddnsRecords).addDdnsToken(TOKEN))
    for (const twin of [
      { ...TOKEN, id: 'token-2' },
      { ...TOKEN, digest: 'cd'.repeat(32) },
    ])
      await failureOf(
        write((tx) => tx.of(ddnsRecords).addDdnsToken(twin)),
        'internal',
      )
    expect(await opened.store.of(ddnsRecords).ddnsTokens()).toEqual([TOKEN])
  })

  test('end and use are kept for the token that is named; one that is gone is left alone', async () => {
    const other = { ...TOKEN, id: 'token-2', digest: 'cd'.repeat(32) }
    await write((tx) => tx.of(ddnsRecords).addDdnsToken(TOKEN))
    await write((tx) => tx.of(ddnsRecords).addDdnsToken(other))
    await write((tx) => tx.of(ddnsRecords).usedDdnsToken(TOKEN.id, 5000))
    await write((tx) => tx.of(ddnsRecords).limitDdnsToken(TOKEN.id, 9000))
    await write((tx) => tx.of(ddnsRecords).limitDdnsToken('gone', 9000))
    await write((tx) => tx.of(ddnsRecords).usedDdnsToken('gone', 9000))
    expect(await (await opened.reopen()).of(ddnsRecords).ddnsTokens()).toEqual([
      { ...TOKEN, last_used_at: 5000, expires_at: 9000 },
      other,
    ])
  })

  test('a token that was ended is found by no digest any more, and listed with its end', async () => {
    await write((tx) => tx.of(ddnsRecords).addDdnsToken(TOKEN))
    for (const id of [TOKEN.id, TOKEN.id, 'gone'])
      await write((tx) => tx.of(ddnsRecords).endDdnsToken(id, 9000))
    const store = await opened.reopen()
    expect(await store.of(ddnsRecords).ddnsTokenByDigest(TOKEN.digest)).toBeNull()
    expect(await store.of(ddnsRecords).ddnsTokens()).toEqual([
      { ...TOKEN, digest: endedDigest(TOKEN.digest), expires_at: 9000 },
    ])
  })

  test('tokens that ended before a time are forgotten; one that ends then or never is kept', async () => {
    const ending = (id: string, expires_at: number | null) => ({ ...TOKEN, id, digest: id, expires_at })
    for (const token of [ending('a', 1999), ending('b', 2000), ending('c', null)])
      await write((tx) => tx.of(ddnsRecords).addDdnsToken(token))
    await write((tx) => tx.of(ddnsRecords).forgetDdnsTokens(2000))
    expect((await opened.store.of(ddnsRecords).ddnsTokens()).map(({ id }) => id)).toEqual(['b', 'c'])
  })

  test('the last rotation is kept over a restart and moves on', async () => {
    await write((tx) => tx.of(ddnsRecords).saveRotation(1_774_749_600_000))
    expect(await (await opened.reopen()).of(ddnsRecords).lastRotation()).toBe(1_774_749_600_000)
    await write((tx) => tx.of(ddnsRecords).saveRotation(1_782_612_000_000))
    expect(await opened.store.of(ddnsRecords).lastRotation()).toBe(1_782_612_000_000)
  })
}
