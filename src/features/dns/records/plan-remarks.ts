/** What keeps the records of a plan from getting a DNS record, told before it is done. */
import { withRows } from '../../../engine/editions/editions.ts'
import type { ReleaseRow } from '../../../ports/store.ts'
import type { Deps } from '../../../operations/deps.ts'

export async function dnsPlanRemarks(
  { store, dns }: Pick<Deps, 'store' | 'dns'>,
  rows: readonly ReleaseRow[],
): Promise<readonly string[]> {
  const domain_ids = rows.map(({ domain_id }) => domain_id)
  const ids = new Set(domain_ids)
  const prospect = withRows(await store.intent('released'), rows)
  const theirs = { rows: prospect.rows.filter(({ domain_id }) => ids.has(domain_id)) }
  const [reported, owned] = [await store.reportedAddresses(), await store.ownedRrsets()]
  return dns.remarks(theirs, { domain_ids, reported, owned })
}
