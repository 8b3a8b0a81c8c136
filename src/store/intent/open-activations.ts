/** Activations that are under way, or were cut off. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { Tables } from '../tables.ts'

export async function openActivations(db: Kysely<Tables>): Promise<number[]> {
  const rows = await db.selectFrom('open_activations').select('domain_id').orderBy('domain_id').execute()
  return rows.map(({ domain_id }) => domain_id)
}

export async function openActivation(db: Kysely<Tables>, domain_id: number, at: Instant): Promise<void> {
  await db
    .insertInto('open_activations')
    .values({ domain_id, at })
    .onConflict((row) => row.column('domain_id').doUpdateSet({ at }))
    .execute()
}

export async function closeActivation(db: Kysely<Tables>, domain_id: number): Promise<void> {
  await db.deleteFrom('open_activations').where('domain_id', '=', domain_id).execute()
}
