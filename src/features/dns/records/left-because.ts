/** Why a set of ours that still stands may go, or waits for a person. */
import type { Intent } from '../../../model/intent.ts'
import type { Rrset } from '../../../model/network/dns.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import type { LeftBecause, RemovableBecause } from './leftover.ts'

/** Null for a set that stays, or that is not ours. */
export async function whyToGo(
  deps: Pick<Deps, 'store' | 'dns'>,
  wish: Pick<Rrset, 'name' | 'type'>,
  intent: Intent,
): Promise<RemovableBecause | null> {
  const because = await leftBecause(deps, wish, intent)
  return because === 'no_address' ? null : because
}

export async function leftBecause(
  { store, dns }: Pick<Deps, 'store' | 'dns'>,
  wish: Pick<Rrset, 'name' | 'type'>,
  intent: Intent,
): Promise<LeftBecause | null> {
  const owned = await store.of(dnsRecords).ownedRrsets()
  const leftover = dns
    .leftovers(intent, { owned, reported: await dns.reportedAddresses(store) })
    .find(({ name, type }) => name === wish.name && type === wish.type)
  return leftover?.because ?? null
}
