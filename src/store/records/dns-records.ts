/** The ledger of record sets that are ours at the DNS providers. */
import type { Kysely } from 'kysely'
import type { OwnedRrset } from '../../model/network/dns.ts'
import { batches } from '../batches.ts'
import { storedJson } from '../stored-json.ts'
import type { DnsRecordsTable, Tables } from '../tables.ts'

export async function ownedRrsets(db: Kysely<Tables>): Promise<OwnedRrset[]> {
  const rows = await db
    .selectFrom('dns_records')
    .selectAll()
    .orderBy('zone')
    .orderBy('name')
    .orderBy('type')
    .orderBy('account')
    .execute()
  return rows.map((row) => ({
    ...row,
    values: storedJson<string[]>(row.values),
    proxied: row.proxied === null ? null : row.proxied === 1,
    ids: storedJson<string[]>(row.ids),
  }))
}

type Key = Pick<OwnedRrset, 'account' | 'zone' | 'name' | 'type'>

/** The last word of a call wins. It goes out alone: other databases refuse to replace a row twice in one statement. */
export async function saveOwnedRrsets(db: Kysely<Tables>, given: readonly OwnedRrset[]): Promise<void> {
  const last = new Map(given.map((rrset) => [keyOf(rrset), rrset]))
  for (const batch of batches([...last.values()])) {
    await db
      .insertInto('dns_records')
      .values(batch.map(columnsOf))
      .onConflict((on) =>
        on.columns(['account', 'zone', 'name', 'type']).doUpdateSet((eb) => ({
          domain_id: eb.ref('excluded.domain_id'),
          state: eb.ref('excluded.state'),
          ttl: eb.ref('excluded.ttl'),
          values: eb.ref('excluded.values'),
          proxied: eb.ref('excluded.proxied'),
          ids: eb.ref('excluded.ids'),
          sent_at: eb.ref('excluded.sent_at'),
        })),
      )
      .execute()
  }
}

export async function dropOwnedRrsets(db: Kysely<Tables>, keys: readonly Key[]): Promise<void> {
  for (const { account, zone, name, type } of keys) {
    await db
      .deleteFrom('dns_records')
      .where('account', '=', account)
      .where('zone', '=', zone)
      .where('name', '=', name)
      .where('type', '=', type)
      .execute()
  }
}

const keyOf = ({ account, zone, name, type }: Key): string => JSON.stringify([account, zone, name, type])

const columnsOf = (rrset: OwnedRrset): DnsRecordsTable => ({
  account: rrset.account,
  zone: rrset.zone,
  name: rrset.name,
  type: rrset.type,
  domain_id: rrset.domain_id,
  state: rrset.state,
  ttl: rrset.ttl,
  values: JSON.stringify(rrset.values),
  proxied: rrset.proxied === null ? null : rrset.proxied ? 1 : 0,
  ids: JSON.stringify(rrset.ids),
  sent_at: rrset.sent_at,
})
