/** The credentials of gateways, known by digest alone, and when they were last rotated by the schedule. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { DdnsToken } from '../../ports/records/dns.ts'
import { damagedValue } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

const LAST_ROTATION = 'ddns_last_rotation'

/** By host, the oldest first. */
export const ddnsTokens = (db: Kysely<Tables>): Promise<DdnsToken[]> =>
  db.selectFrom('ddns_tokens').selectAll().orderBy('host').orderBy('created_at').orderBy('id').execute()

export async function ddnsTokenByDigest(db: Kysely<Tables>, digest: string): Promise<DdnsToken | null> {
  const row = await db.selectFrom('ddns_tokens').selectAll().where('digest', '=', digest).executeTakeFirst()
  return row ?? null
}

export async function addDdnsToken(
  db: Kysely<Tables>,
  { id, host, digest, label, created_at, expires_at, last_used_at }: DdnsToken,
): Promise<void> {
  await db
    .insertInto('ddns_tokens')
    .values({ id, host, digest, label, created_at, expires_at, last_used_at })
    .execute()
}

export async function endDdnsToken(db: Kysely<Tables>, id: string, expires_at: Instant): Promise<void> {
  await db.updateTable('ddns_tokens').set({ expires_at }).where('id', '=', id).execute()
}

export async function usedDdnsToken(db: Kysely<Tables>, id: string, at: Instant): Promise<void> {
  await db.updateTable('ddns_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** A token without an end has none before any time. */
export async function forgetDdnsTokens(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db.deleteFrom('ddns_tokens').where('expires_at', '<', before).execute()
}

export async function lastRotation(db: Kysely<Tables>): Promise<Instant | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', LAST_ROTATION).executeTakeFirst()
  if (row === undefined) return null
  const at = Number(row.value)
  if (!Number.isSafeInteger(at)) throw damagedValue('is no time', row.value)
  return at
}

export async function saveRotation(db: Kysely<Tables>, at: Instant): Promise<void> {
  const value = String(at)
  await db
    .insertInto('meta')
    .values({ key: LAST_ROTATION, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute()
}
