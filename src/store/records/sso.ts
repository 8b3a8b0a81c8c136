/** What is known of the SSO provider, and which routes are taken out. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { Quarantined, SsoLoad } from '../../ports/records/sso.ts'
import type { SsoProviderTable } from './sso-tables.ts'
import type { Tables } from '../tables.ts'

const providerRow = (db: Kysely<Tables>): Promise<SsoProviderTable | undefined> =>
  db.selectFrom('sso_provider').selectAll().executeTakeFirst()

export async function ssoLoad(db: Kysely<Tables>): Promise<SsoLoad | null> {
  const row = await providerRow(db)
  if (row === undefined) return null
  const { place, stamp, text, loaded_at: at } = row
  return place === null || stamp === null || text === null || at === null ? null : { place, stamp, text, at }
}

export const ssoRestartedAt = async (db: Kysely<Tables>): Promise<Instant | null> =>
  (await providerRow(db))?.restarted_at ?? null

export const saveSsoLoad = (
  db: Kysely<Tables>,
  { place, stamp, text, at: loaded_at }: SsoLoad,
): Promise<void> => saveProvider(db, { place, stamp, text, loaded_at })

export const saveSsoRestart = (db: Kysely<Tables>, restarted_at: Instant): Promise<void> =>
  saveProvider(db, { restarted_at })

async function saveProvider(
  db: Kysely<Tables>,
  columns: Partial<Omit<SsoProviderTable, 'id'>>,
): Promise<void> {
  const none = { restarted_at: null, place: null, stamp: null, text: null, loaded_at: null }
  await db
    .insertInto('sso_provider')
    .values({ id: 1, ...none, ...columns })
    .onConflict((on) => on.column('id').doUpdateSet(columns))
    .execute()
}

export const quarantine = (db: Kysely<Tables>): Promise<Quarantined[]> =>
  db.selectFrom('sso_quarantine').selectAll().orderBy('domain').execute()

export async function addQuarantine(db: Kysely<Tables>, row: Quarantined): Promise<void> {
  const { domain_id, domain, since, evidence } = row
  await db
    .insertInto('sso_quarantine')
    .values({ domain_id, domain, since, evidence })
    .onConflict((on) => on.column('domain_id').doNothing())
    .execute()
}

export async function dropQuarantine(db: Kysely<Tables>, domain_id: number): Promise<boolean> {
  const gone = await db.deleteFrom('sso_quarantine').where('domain_id', '=', domain_id).executeTakeFirst()
  return gone.numDeletedRows > 0n
}
