/** Zones that have to do with records and of which these ask for nothing: whatever stands there stays, read or not. */
import { isPublished } from '../../../model/domain/address-sources.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import { rowsOf } from '../records/without-record.ts'

/** Their keys, by what is released of the records. What is still to go, the target's own rule says. */
export async function idleKeys(
  { store, dns }: Pick<Deps, 'store' | 'dns'>,
  domain_ids: readonly number[],
): Promise<readonly string[]> {
  const intent = await store.intent('released')
  const released = rowsOf(intent, domain_ids)
  const saved = rowsOf(await store.intent('working'), domain_ids)
  const owned = (await store.of(dnsRecords).ownedRrsets()).filter(({ domain_id }) =>
    domain_ids.includes(domain_id),
  )
  const reported = await dns.reportedAddresses(store)
  const asked = new Set([
    ...released.rows
      .filter(({ live, fields }) => live && isPublished(fields))
      .map(({ fields }) => dns.zoneFor(fields.domain)),
    // By all that is released: another record may have the name by now.
    ...dns.leftovers(intent, { owned, reported }).map(({ zone }) => zone),
  ])
  const zones = [...released.rows, ...saved.rows].flatMap(({ domain_id, fields }) => [
    dns.zoneFor(fields.domain) ?? [],
    owned.filter((set) => set.domain_id === domain_id).map(({ zone }) => zone),
  ])
  return [...new Set(zones.flat())].filter((zone) => !asked.has(zone)).map((zone) => dns.keyOf(zone))
}
