/** Record sets that bear our mark and are of no record any more. Looks at all zones afresh. */
import { rrsetWords } from '../../../model/network/dns.ts'
import type { Deps } from '../../dns/deps.ts'
import { readRecords } from '../../dns/records/read-records.ts'
import type { Orphan } from './views.ts'

/** Null where a zone or an account cannot be read. */
export async function dnsOrphans(deps: Deps, signal: AbortSignal): Promise<readonly Orphan[] | null> {
  const { records, unknown } = await readRecords(deps, { zone: null, state: 'orphan' }, signal)
  if (unknown.length > 0) return null
  return records.map(({ zone, name, type, detail }) => ({
    kind: 'dns_record_without_domain',
    id: `${zone} ${name} ${type}`,
    name,
    since: null,
    why: detail ?? `${name} ${type} bears our mark and belongs to no record.`,
    helps: `Remove it (plumbline dns remove ${rrsetWords({ type, name })}), or adopt it for a record of that name.`,
  }))
}
