/** The zones of all accounts, and how it went to ask for them. */
import { isoTimeOrNull } from '../../../kernel/clock.ts'
import { type DnsZone, zoneOf } from '../../../model/network/dns.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import type { ZonesAnswer } from '../views.ts'
import type { AccountState } from './zone-discovery.ts'

export async function readZones({ store, dns }: Deps): Promise<ZonesAnswer> {
  await dns.discovery.refresh()
  const released = await store.intent('released')
  const accounts = new Map(dns.discovery.accounts().map((state) => [state.account, state]))
  const zones = dns.discovery.zones()
  const names = Map.groupBy(
    released.rows.filter(({ live }) => live),
    ({ fields }) => zoneOf(fields.domain, zones)?.name ?? null,
  )
  const rrsets = await store.of(dnsRecords).ownedRrsets()
  const owned = Map.groupBy(rrsets, ({ account, zone }) => `${account} ${zone}`)
  return {
    zones: zones.map((zone) => shownZone(zone, accounts.get(zone.account)!, { names, owned })),
    accounts: [...accounts.values()].map((state) => shownAccount(state, dns.unserved)),
    homeless: dns.withoutZone(released),
  }
}

interface CountedIn {
  /** By their zone; null for those without one. */
  readonly names: ReadonlyMap<string | null, readonly unknown[]>
  /** By account and zone. */
  readonly owned: ReadonlyMap<string, readonly unknown[]>
}

const shownZone = (
  { name, account, writable, detail }: DnsZone,
  { provider, ok }: AccountState,
  { names, owned }: CountedIn,
): ZonesAnswer['zones'][number] => ({
  zone: name,
  account,
  provider,
  writable,
  detail,
  names: names.get(name)?.length ?? 0,
  owned: owned.get(`${account} ${name}`)?.length ?? 0,
  fresh: ok === true,
})

const shownAccount = (
  { listed_at, ...state }: AccountState,
  unserved: Deps['dns']['unserved'],
): ZonesAnswer['accounts'][number] => ({
  ...state,
  listed_at: isoTimeOrNull(listed_at),
  served: !unserved.has(state.account),
})
