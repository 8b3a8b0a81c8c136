/** Zones that have to do with records and of which these ask for nothing: whatever stands there stays, read or not. */
import { isPublished } from '../../../model/domain/address-sources.ts'
import type { IntentRow } from '../../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import { rowsOf } from '../records/without-record.ts'

/** Their keys, by what is released of the records. */
export async function idleKeys(
  { store, dns }: Pick<Deps, 'store' | 'dns'>,
  domain_ids: readonly number[],
): Promise<readonly string[]> {
  const released = rowsOf(await store.intent('released'), domain_ids)
  const saved = rowsOf(await store.intent('working'), domain_ids)
  const owned = await store.of(dnsRecords).ownedRrsets()
  const ownZone = ({ fields }: IntentRow) => dns.zoneFor(fields.domain) ?? []
  const zonesOwned = ({ domain_id }: IntentRow) =>
    owned.filter((set) => set.domain_id === domain_id).map(({ zone }) => zone)
  // A name that it had before is still to go, whatever stays under the present one.
  const zonesLeft = ({ domain_id, fields }: IntentRow) =>
    owned
      .filter((set) => set.domain_id === domain_id && set.state !== 'adopted' && set.name !== fields.domain)
      .map(({ zone }) => zone)
  const asked = new Set(
    released.rows.flatMap((row) => {
      const is_published = isPublished(row.fields)
      const wanted = row.live && is_published ? ownZone(row) : []
      return [wanted, row.retired || !is_published ? zonesOwned(row) : zonesLeft(row)].flat()
    }),
  )
  const zones = [...released.rows, ...saved.rows].flatMap((row) => [ownZone(row), zonesOwned(row)].flat())
  return [...new Set(zones)].filter((zone) => !asked.has(zone)).map((zone) => dns.keyOf(zone))
}
