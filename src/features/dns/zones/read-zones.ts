/** The zones of all accounts, and how it went to ask for them. */
import { isoTimeOrNull } from '../../../kernel/clock.ts'
import { zoneOf } from '../../../model/network/dns.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import type { ZonesAnswer } from '../views.ts'

export async function readZones({ store, dns }: Deps): Promise<ZonesAnswer> {
  await dns.discovery.refresh()
  const released = await store.intent('released')
  const accounts = new Map(dns.discovery.accounts().map((state) => [state.account, state]))
  const zones = dns.discovery.zones()
  const names = Map.groupBy(
    released.rows.filter(({ live }) => live),
    ({ fields }) => zoneOf(fields.domain, zones)?.name ?? null,
  )
  const owned = Map.groupBy(
    await store.of(dnsRecords).ownedRrsets(),
    ({ account, zone }) => `${account} ${zone}`,
  )
  return {
    zones: zones.map(({ name, account, writable, detail }) => ({
      zone: name,
      account,
      provider: accounts.get(account)!.provider,
      writable,
      detail,
      names: names.get(name)?.length ?? 0,
      owned: owned.get(`${account} ${name}`)?.length ?? 0,
      fresh: accounts.get(account)!.ok === true,
    })),
    accounts: [...accounts.values()].map(({ listed_at, ...state }) => ({
      ...state,
      listed_at: isoTimeOrNull(listed_at),
      served: !dns.unserved.has(state.account),
    })),
    homeless: dns.withoutZone(released),
  }
}
