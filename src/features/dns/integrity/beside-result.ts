/** What is told beside the comparison of name servers, as the ledger and the released edition are now. */
import type { Deps } from '../deps.ts'
import { dnsRecords } from '../records.ts'
import type { BesideResult } from './integrity-result.ts'

export async function besideResult({
  store,
  dns,
}: Pick<Deps, 'store' | 'dns'>): Promise<Pick<BesideResult, 'leftovers' | 'unserved'>> {
  const owned = await store.of(dnsRecords).ownedRrsets()
  const zones = owned.flatMap(({ account, zone }) => (dns.unserved.has(account) ? [zone] : []))
  return {
    leftovers: dns.leftovers(await store.intent('released'), {
      owned,
      reported: await dns.reportedAddresses(store),
    }),
    unserved: [...new Set(zones)],
  }
}
