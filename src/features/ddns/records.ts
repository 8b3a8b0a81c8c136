/**
 * The rows of dynamic DNS: what gateways report of their addresses, and their credentials, which are known by digest alone.
 * They mirror `schema/0003-dns.sql` and what came after it.
 */
import type { Generated, Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { ManagedType, ReportedAddress } from '../../model/network/dns.ts'
import { recordSet } from '../../ports/record-set.ts'
import type { StoreReader } from '../../ports/store.ts'
import { damagedValue } from '../../store/stored-json.ts'
import { tokenQueries } from '../../store/token-rows.ts'

export interface AddressChange {
  readonly host: string
  readonly type: ManagedType
  readonly address: string
  readonly at: Instant
  /** Who reported it: `token:<id>`, `api-key` for the main one, or `key:<name>`. */
  readonly actor: string
}

/** A reported address that is taken when it is due. */
export interface PendingAddress {
  readonly host: string
  readonly type: ManagedType
  readonly address: string
  /** Since when it is the newest report. */
  readonly asked_at: Instant
  readonly due_at: Instant
  /** The name goes back and forth; false where only a minute has to pass. */
  readonly is_held: boolean
  /** As in `AddressChange`. */
  readonly actor: string
  /** Who is named in the audit trail, and the request that it came with. */
  readonly by: { readonly name: string; readonly request_id: string }
}

/** A credential of one gateway, bound to one host name. The secret itself is nowhere. */
export interface DdnsToken {
  readonly id: string
  readonly host: string
  /** SHA-256 of the secret, hexadecimal; of one that has ended for good, what `endedDigest` makes of it. */
  readonly digest: string
  readonly label: string
  readonly created_at: Instant
  /** Null while it is valid without end. */
  readonly expires_at: Instant | null
  readonly last_used_at: Instant | null
}

type PendingRow = Omit<PendingAddress, 'is_held' | 'by'> & { held: number; name: string; request_id: string }

interface DdnsTables {
  reported_addresses: ReportedAddress
  address_changes: AddressChange & { id: Generated<number> }
  pending_addresses: PendingRow
  ddns_tokens: DdnsToken
  meta: { key: string; value: string }
}
type Db = Kysely<DdnsTables>

const reportedAddresses = (db: Db): Promise<readonly ReportedAddress[]> =>
  db.selectFrom('reported_addresses').selectAll().orderBy('host').execute()

async function saveReportedAddress(
  db: Db,
  { host, ipv4, ipv6, changed_at, reported_at }: ReportedAddress,
): Promise<void> {
  await db
    .insertInto('reported_addresses')
    .values({ host, ipv4, ipv6, changed_at, reported_at })
    .onConflict((on) => on.column('host').doUpdateSet({ ipv4, ipv6, changed_at, reported_at }))
    .execute()
}

/** What was reported before stays in the history; what waits goes with it. */
async function dropReportedAddress(db: Db, host: string): Promise<void> {
  await db.deleteFrom('reported_addresses').where('host', '=', host).execute()
  await db.deleteFrom('pending_addresses').where('host', '=', host).execute()
}

/** Ordered by host and type. */
async function pendingAddresses(db: Db): Promise<readonly PendingAddress[]> {
  const rows = await db.selectFrom('pending_addresses').selectAll().orderBy('host').orderBy('type').execute()
  return rows.map(({ held, name, request_id, ...row }) => ({
    ...row,
    is_held: held === 1,
    by: { name, request_id },
  }))
}

/** By host and type. */
async function savePendingAddress(
  db: Db,
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

async function dropPendingAddress(db: Db, host: string, type: ManagedType): Promise<void> {
  await db.deleteFrom('pending_addresses').where('host', '=', host).where('type', '=', type).execute()
}

/** Newest first. Ordered by number, not by time: a clock that was set back must not shuffle what came after what. */
const addressHistory = (db: Db, host: string, limit: number): Promise<readonly AddressChange[]> =>
  db
    .selectFrom('address_changes')
    .select(['host', 'type', 'address', 'at', 'actor'])
    .where('host', '=', host)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

async function addAddressChange(db: Db, { host, type, address, at, actor }: AddressChange): Promise<void> {
  await db.insertInto('address_changes').values({ host, type, address, at, actor }).execute()
}

const LAST_ROTATION = 'ddns_last_rotation'

/** By host, the oldest first. */
const ddnsTokens = (db: Db): Promise<readonly DdnsToken[]> =>
  db.selectFrom('ddns_tokens').selectAll().orderBy('host').orderBy('created_at').orderBy('id').execute()

async function addDdnsToken(
  db: Db,
  { id, host, digest, label, created_at, expires_at, last_used_at }: DdnsToken,
): Promise<void> {
  await db
    .insertInto('ddns_tokens')
    .values({ id, host, digest, label, created_at, expires_at, last_used_at })
    .execute()
}

async function usedDdnsToken(db: Db, id: string, at: Instant): Promise<void> {
  await db.updateTable('ddns_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** When the tokens were last rotated by the schedule; null for never. */
async function lastRotation(db: Db): Promise<Instant | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', LAST_ROTATION).executeTakeFirst()
  if (row === undefined) return null
  const at = Number(row.value)
  if (!Number.isSafeInteger(at)) throw damagedValue('is no time', row.value)
  return at
}

async function saveRotation(db: Db, at: Instant): Promise<void> {
  const value = String(at)
  await db
    .insertInto('meta')
    .values({ key: LAST_ROTATION, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute()
}

const tokens = tokenQueries<DdnsToken>('ddns_tokens')

export const ddnsRecords = recordSet({
  reads: {
    reportedAddresses,
    pendingAddresses,
    addressHistory,
    ddnsTokens,
    ddnsTokenByDigest: tokens.byDigest,
    lastRotation,
  },
  writes: {
    saveReportedAddress,
    dropReportedAddress,
    addAddressChange,
    savePendingAddress,
    dropPendingAddress,
    addDdnsToken,
    limitDdnsToken: tokens.limit,
    endDdnsToken: tokens.end,
    usedDdnsToken,
    forgetDdnsTokens: tokens.forget,
    saveRotation,
  },
  closes: { limitDdnsToken: () => true, endDdnsToken: () => true },
  keeps: { reportedAddresses: ['saveReportedAddress', 'dropReportedAddress'] },
})

/** For those who publish what was reported. */
export const readReportedAddresses = (store: Pick<StoreReader, 'of'>): Promise<readonly ReportedAddress[]> =>
  store.of(ddnsRecords).reportedAddresses()
