/** The rows of differences that may stay. They mirror `schema/0025-ignored-differences.sql`. */
import type { Kysely } from 'kysely'
import type { IgnoredDifference } from '../../engine/pass/ignored.ts'
import { recordSet } from '../../ports/record-set.ts'

type Db = Kysely<{ ignored_differences: IgnoredDifference }>

const ignoredDifferences = (db: Db): Promise<readonly IgnoredDifference[]> =>
  db.selectFrom('ignored_differences').selectAll().orderBy('key').orderBy('item').execute()

async function saveIgnored(
  db: Db,
  { item, key, part, component, seen, reason, actor, created_at, until }: IgnoredDifference,
): Promise<void> {
  const row = { part, component, seen, reason, actor, created_at, until }
  await db
    .insertInto('ignored_differences')
    .values({ item, key, ...row })
    .onConflict((conflict) => conflict.columns(['key', 'item']).doUpdateSet(row))
    .execute()
}

/** Nothing happens where it is gone. */
async function dropIgnored(db: Db, key: string, item: string): Promise<void> {
  await db.deleteFrom('ignored_differences').where('key', '=', key).where('item', '=', item).execute()
}

export const ignoredRecords = recordSet({
  reads: { ignoredDifferences },
  writes: { saveIgnored, dropIgnored },
})
