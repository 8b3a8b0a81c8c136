/** How often a stranger put something back after a repair. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { Revert } from '../../ports/records/trails.ts'
import type { Tables } from '../tables.ts'

export const revertsSince = (db: Kysely<Tables>, key: string, since: Instant): Promise<Revert[]> =>
  db
    .selectFrom('reverts')
    .select(['key', 'observed', 'at'])
    .where('key', '=', key)
    .where('at', '>=', since)
    .orderBy('at')
    .orderBy('id')
    .execute()

export async function addRevert(db: Kysely<Tables>, { key, observed, at }: Revert): Promise<void> {
  await db.insertInto('reverts').values({ key, observed, at }).execute()
}

export async function clearReverts(db: Kysely<Tables>, key: string): Promise<void> {
  await db.deleteFrom('reverts').where('key', '=', key).execute()
}
