/** What gateways report of their addresses: the present ones, those that wait, and how they changed. */
import type { Kysely } from 'kysely'
import type { ManagedType, ReportedAddress } from '../../model/network/dns.ts'
import type { AddressChange, PendingAddress } from '../../ports/records/dns.ts'
import type { Tables } from '../tables.ts'

export const reportedAddresses = (db: Kysely<Tables>): Promise<ReportedAddress[]> =>
  db.selectFrom('reported_addresses').selectAll().orderBy('host').execute()

export async function saveReportedAddress(
  db: Kysely<Tables>,
  { host, ipv4, ipv6, changed_at, reported_at }: ReportedAddress,
): Promise<void> {
  await db
    .insertInto('reported_addresses')
    .values({ host, ipv4, ipv6, changed_at, reported_at })
    .onConflict((on) => on.column('host').doUpdateSet({ ipv4, ipv6, changed_at, reported_at }))
    .execute()
}

export async function dropReportedAddress(db: Kysely<Tables>, host: string): Promise<void> {
  await db.deleteFrom('reported_addresses').where('host', '=', host).execute()
  await db.deleteFrom('pending_addresses').where('host', '=', host).execute()
}

export async function pendingAddresses(db: Kysely<Tables>): Promise<PendingAddress[]> {
  const rows = await db.selectFrom('pending_addresses').selectAll().orderBy('host').orderBy('type').execute()
  return rows.map(({ held, name, request_id, ...row }) => ({
    ...row,
    is_held: held === 1,
    by: { name, request_id },
  }))
}

export async function savePendingAddress(
  db: Kysely<Tables>,
  { host, type, address, asked_at, due_at, is_held, actor, by }: PendingAddress,
): Promise<void> {
  const { name, request_id } = by
  const values = { address, asked_at, due_at, held: is_held ? 1 : 0, actor, name, request_id }
  await db
    .insertInto('pending_addresses')
    .values({ host, type, ...values })
    .onConflict((on) => on.columns(['host', 'type']).doUpdateSet(values))
    .execute()
}

export async function dropPendingAddress(db: Kysely<Tables>, host: string, type: ManagedType): Promise<void> {
  await db.deleteFrom('pending_addresses').where('host', '=', host).where('type', '=', type).execute()
}

/** Ordered by number, not by time: a clock that was set back must not shuffle what came after what. */
export const addressHistory = (db: Kysely<Tables>, host: string, limit: number): Promise<AddressChange[]> =>
  db
    .selectFrom('address_changes')
    .select(['host', 'type', 'address', 'at', 'actor'])
    .where('host', '=', host)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export async function addAddressChange(
  db: Kysely<Tables>,
  { host, type, address, at, actor }: AddressChange,
): Promise<void> {
  await db.insertInto('address_changes').values({ host, type, address, at, actor }).execute()
}
