/**
 * The rows of DNS: the ledger of record sets that are ours at the providers, and the zones that each account was found to
 * have. They mirror `schema/0003-dns.sql`.
 */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { DnsZone, OwnedRrset } from '../../model/network/dns.ts'
import { recordSet } from '../../ports/record-set.ts'
import { batches } from '../../store/batches.ts'
import { storedJson } from '../../store/stored-json.ts'

type Flag = 0 | 1
type OwnedRow = Omit<OwnedRrset, 'values' | 'proxied' | 'ids'> & {
  values: string
  proxied: Flag | null
  ids: string
}
type ZoneRow = Omit<DnsZone, 'writable'> & { writable: Flag; listed_at: number }
type Db = Kysely<{ dns_records: OwnedRow; dns_zones: ZoneRow }>

/** Ordered by zone, name and type. */
async function ownedRrsets(db: Db): Promise<readonly OwnedRrset[]> {
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

/** By account, zone, name and type. The last word of a call wins. It goes out alone: other databases refuse to replace a row twice in one statement. */
async function saveOwnedRrsets(db: Db, given: readonly OwnedRrset[]): Promise<void> {
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

async function dropOwnedRrsets(db: Db, keys: readonly Key[]): Promise<void> {
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

const columnsOf = (rrset: OwnedRrset): OwnedRow => ({
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

/** As of the last complete listing of each account, ordered by name. A zone that two accounts hold stands once for each, ordered by account. */
async function dnsZones(db: Db): Promise<readonly DnsZone[]> {
  const rows = await db.selectFrom('dns_zones').selectAll().orderBy('name').orderBy('account').execute()
  return rows.map(({ name, account, writable, detail }) => ({
    name,
    account,
    writable: writable === 1,
    detail,
  }))
}

/** Replaces what is known of the account. */
async function saveDnsZones(db: Db, account: string, zones: readonly DnsZone[], at: Instant): Promise<void> {
  await db.deleteFrom('dns_zones').where('account', '=', account).execute()
  const rows = zones.map(({ name, writable, detail }): ZoneRow => ({
    account,
    name,
    writable: writable ? 1 : 0,
    detail,
    listed_at: at,
  }))
  for (const batch of batches(rows)) await db.insertInto('dns_zones').values(batch).execute()
}

export const dnsRecords = recordSet({
  reads: { ownedRrsets, dnsZones },
  writes: { saveOwnedRrsets, dropOwnedRrsets, saveDnsZones },
  keeps: { ownedRrsets: ['saveOwnedRrsets', 'dropOwnedRrsets'] },
})
