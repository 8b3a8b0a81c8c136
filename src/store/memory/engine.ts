/** What the engine must not forget over a restart: what was applied, attempts, modes, the last deploy-all. */
import type { Kysely } from 'kysely'
import type { Applied, Attempt, ModeSetting, StandingMode } from '../../ports/store.ts'
import type { Flag, ModesTable, Tables } from '../tables.ts'

export const applied = (db: Kysely<Tables>): Promise<Applied[]> =>
  db.selectFrom('applied').selectAll().orderBy('key').execute()

export async function saveApplied(
  db: Kysely<Tables>,
  { key, release, place, digest, observed, at }: Applied,
): Promise<void> {
  await db
    .insertInto('applied')
    .values({ key, release, place, digest, observed, at })
    .onConflict((on) => on.column('key').doUpdateSet({ release, place, digest, observed, at }))
    .execute()
}

export const attempts = (db: Kysely<Tables>): Promise<Attempt[]> =>
  db.selectFrom('attempts').selectAll().orderBy('key').execute()

export async function saveAttempt(db: Kysely<Tables>, attempt: Attempt): Promise<void> {
  const { key, failures, failed_at, next_attempt_at, message } = attempt
  await db
    .insertInto('attempts')
    .values({ key, failures, failed_at, next_attempt_at, message })
    .onConflict((on) => on.column('key').doUpdateSet({ failures, failed_at, next_attempt_at, message }))
    .execute()
}

export async function clearAttempt(db: Kysely<Tables>, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

export const modes = async (db: Kysely<Tables>): Promise<ModeSetting[]> =>
  (await db.selectFrom('modes').selectAll().orderBy('scope').execute()).map(settingOf)

function settingOf({ below: json, end_reported, ...setting }: ModesTable): ModeSetting {
  const below = JSON.parse(json) as readonly StandingMode[]
  return { ...setting, ...(below.length > 0 && { below }), ...(end_reported === 1 && { end_reported: true }) }
}

export async function saveMode(
  db: Kysely<Tables>,
  { scope, mode, reason, actor, expires_at, below = [], end_reported }: ModeSetting,
): Promise<void> {
  const kept = below.map((one) => ({
    mode: one.mode,
    reason: one.reason,
    actor: one.actor,
    expires_at: one.expires_at,
  }))
  const reported: Flag = end_reported === true ? 1 : 0
  const values = { mode, reason, actor, expires_at, below: JSON.stringify(kept), end_reported: reported }
  await db
    .insertInto('modes')
    .values({ scope, ...values })
    .onConflict((on) => on.column('scope').doUpdateSet(values))
    .execute()
}

export async function deployStatus(db: Kysely<Tables>): Promise<string | null> {
  const row = await db.selectFrom('deploy_status').select('status').where('id', '=', 1).executeTakeFirst()
  return row?.status ?? null
}

export async function saveDeployStatus(db: Kysely<Tables>, status: string): Promise<void> {
  await db
    .insertInto('deploy_status')
    .values({ id: 1, status })
    .onConflict((on) => on.column('id').doUpdateSet({ status }))
    .execute()
}
