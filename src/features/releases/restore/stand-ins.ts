/**
 * Records that a restore created in place of deleted ones. The audit trail knows them: an entry `recreate` names the
 * first record of the line. Thus a release is restored a second time into the same records.
 */
import type { Intent } from '../../../model/intent.ts'
import type { StoreReader } from '../../../ports/store.ts'

export const RECREATE = 'recreate'

/** By the id that the edition knows. Only a record of the same name stands in. */
export async function standIns(
  reader: StoreReader,
  edition: Intent,
  working: Intent,
): Promise<ReadonlyMap<number, number>> {
  const present = new Set(working.rows.map(({ domain_id }) => domain_id))
  const by_name = new Map(working.rows.map((row) => [row.fields.domain, row.domain_id]))
  const live = edition.rows.filter((row) => row.live)
  const taken = new Set(live.map(({ domain_id }) => domain_id))
  const found = new Map<number, number>()
  for (const { domain_id, fields } of live.filter((row) => !present.has(row.domain_id))) {
    const holder = by_name.get(fields.domain)
    if (holder === undefined || taken.has(holder)) continue
    if ((await lineOf(reader, holder)) === (await lineOf(reader, domain_id))) found.set(domain_id, holder)
  }
  return found
}

/** Id of the first record of the line; the record's own where it is the first. */
export async function lineOf(reader: StoreReader, domain_id: number): Promise<number> {
  const [entry] = await reader.auditTrail({ domain_id, action: RECREATE, limit: 1 })
  const first = entry?.detail['line']
  return typeof first === 'number' ? first : domain_id
}
