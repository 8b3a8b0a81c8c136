/** The zones of each provider account, as of its last complete listing. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { DnsZone } from '../../model/network/dns.ts'
import { batches } from '../batches.ts'
import type { DnsZonesTable, Tables } from '../tables.ts'

/** A zone that two accounts hold stands once for each, ordered by account. */
export async function dnsZones(db: Kysely<Tables>): Promise<DnsZone[]> {
  const rows = await db.selectFrom('dns_zones').selectAll().orderBy('name').orderBy('account').execute()
  return rows.map(({ name, account, writable, detail }) => ({
    name,
    account,
    writable: writable === 1,
    detail,
  }))
}

export async function saveDnsZones(
  db: Kysely<Tables>,
  account: string,
  { zones, at }: { zones: readonly DnsZone[]; at: Instant },
): Promise<void> {
  await db.deleteFrom('dns_zones').where('account', '=', account).execute()
  const rows = zones.map(({ name, writable, detail }): DnsZonesTable => ({
    account,
    name,
    writable: writable ? 1 : 0,
    detail,
    listed_at: at,
  }))
  for (const batch of batches(rows)) await db.insertInto('dns_zones').values(batch).execute()
}
