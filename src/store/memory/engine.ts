/** What the engine must not forget over a restart: what was applied, attempts, modes, the last deploy-all. */
import type { Kysely } from 'kysely'
import type { Applied, Attempt, ModeSaved, ModeSetting, StandingMode } from '../../ports/store.ts'
import type { ModesTable, Tables } from '../tables.ts'

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
  const { key, failures, next_attempt_at, message } = attempt
  await db
    .insertInto('attempts')
    .values({ key, failures, next_attempt_at, message })
    .onConflict((on) => on.column('key').doUpdateSet({ failures, next_attempt_at, message }))
    .execute()
}

export async function clearAttempt(db: Kysely<Tables>, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

export const modes = async (db: Kysely<Tables>): Promise<ModeSetting[]> =>
  (await db.selectFrom('modes').selectAll().orderBy('scope').execute()).map(settingOf)

function settingOf(row: ModesTable): ModeSetting {
  const { scope, mode, reason, actor, expires_at, standing_mode, standing_reason, standing_actor } = row
  const setting = { scope, mode, reason, actor, expires_at }
  if (standing_mode === null) return setting
  const standing = { mode: standing_mode, reason: standing_reason ?? '', actor: standing_actor ?? '' }
  return { ...setting, standing }
}

export async function saveMode(db: Kysely<Tables>, setting: ModeSetting): Promise<ModeSaved> {
  const { scope, mode, reason, actor, expires_at } = setting
  const row = await db.selectFrom('modes').selectAll().where('scope', '=', scope).executeTakeFirst()
  const before = row === undefined ? null : settingOf(row)
  const standing = expires_at === null || before === null ? undefined : standingIn(before)
  const values = {
    mode,
    reason,
    actor,
    expires_at,
    standing_mode: standing?.mode ?? null,
    standing_reason: standing?.reason ?? null,
    standing_actor: standing?.actor ?? null,
  }
  await db
    .insertInto('modes')
    .values({ scope, ...values })
    .onConflict((on) => on.column('scope').doUpdateSet(values))
    .execute()
  return { saved: settingOf({ scope, ...values }), before }
}

const standingIn = ({ mode, reason, actor, expires_at, standing }: ModeSetting): StandingMode | undefined =>
  expires_at === null ? { mode, reason, actor } : standing

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
