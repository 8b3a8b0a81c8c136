/** Released records of which no DNS record is made, each with the reason: no account has their zone, or no address is known. */
import type { Intent } from '../../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import { ddnsRecords } from '../../ddns/records.ts'

/** One sentence for each live one of them. */
export async function namesWithoutRecord(
  { store, dns }: Pick<Deps, 'store' | 'dns'>,
  domain_ids: readonly number[],
): Promise<readonly string[]> {
  const theirs = rowsOf(await store.intent('released'), domain_ids)
  // A zone that was made a moment ago is found before it is missed.
  if (dns.withoutZone(theirs).length > 0) await dns.discovery.refresh()
  return warningsOnRows({ store, dns }, theirs, domain_ids)
}

export async function warningsOnRows(
  { store, dns }: Pick<Deps, 'store' | 'dns'>,
  intent: Intent,
  domain_ids: readonly number[],
): Promise<readonly string[]> {
  const [reported, owned] = [
    await store.of(ddnsRecords).reportedAddresses(),
    await store.of(dnsRecords).ownedRrsets(),
  ]
  return dns.warnings(intent, { domain_ids, reported, owned })
}

export function rowsOf({ rows }: Intent, domain_ids: readonly number[]): Intent {
  const ids = new Set(domain_ids)
  return { rows: rows.filter(({ domain_id }) => ids.has(domain_id)) }
}
