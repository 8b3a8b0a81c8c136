/** Released records of which no DNS record is made, each with the reason: no account has their zone, or no address is known. */
import { addressesInForce, addressSources, isPublished } from '../../../model/domain/address-sources.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Intent } from '../../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'

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
  const [reported, owned] = [await dns.reportedAddresses(store), await store.of(dnsRecords).ownedRrsets()]
  return dns.warnings(intent, { domain_ids, reported, owned })
}

export function rowsOf({ rows }: Intent, domain_ids: readonly number[]): Intent {
  const ids = new Set(domain_ids)
  return { rows: rows.filter(({ domain_id }) => ids.has(domain_id)) }
}

/** What would be published of a record with these fields; none where no address is known for it. */
export async function addressesFor(
  { store, dns }: Pick<Deps, 'store' | 'dns'>,
  fields: DomainFields,
): Promise<readonly string[]> {
  const reports = await dns.reportedAddresses(store)
  const reported = new Map(reports.map((report) => [report.host, report]))
  const sources = addressSources(fields, dns.addresses)
  return addressesInForce(fields.domain, sources, reported)?.addresses ?? []
}

export interface Unaddressed {
  readonly domain_id: number
  /** As it is deployed. */
  readonly domain: string
  readonly zone: string
}

/** What helps where it is so. Goes on with a sentence and ends without a mark. */
export const NO_ADDRESS =
  'no address is known for it: give it a static_ip, let a gateway report one, or set PLUMBLINE_PUBLIC_IP'

/** Live names of our zones of which no record stands, and none is made, for lack of an address. */
export async function namesWithoutAddress({
  store,
  dns,
}: Pick<Deps, 'store' | 'dns'>): Promise<readonly Unaddressed[]> {
  const [{ rows }, reports, ledger] = await Promise.all([
    store.intent('released'),
    dns.reportedAddresses(store),
    store.of(dnsRecords).ownedRrsets(),
  ])
  const reported = new Map(reports.map((report) => [report.host, report]))
  const owned = new Set(ledger.map(({ name }) => name))
  return rows.flatMap(({ domain_id, live, fields, carried }) => {
    const { domain } = fields
    if (!live || !isPublished(fields) || owned.has(domain)) return []
    const sources = { ...addressSources(fields, dns.addresses), ...(carried && { carried }) }
    if (addressesInForce(domain, sources, reported) !== null) return []
    const zone = dns.zoneFor(domain)
    return zone === null ? [] : [{ domain_id, domain, zone }]
  })
}
