/** Records in error because the proxy does not serve them. */
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

export async function unservedRecords(db: Kysely<Tables>): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('unserved_records').select('domain_id').execute()
  return new Set(rows.map(({ domain_id }) => domain_id))
}

export async function markUnserved(db: Kysely<Tables>, domain_id: number): Promise<void> {
  await db
    .insertInto('unserved_records')
    .values({ domain_id })
    .onConflict((row) => row.doNothing())
    .execute()
}

/** Its status is another, or has another reason. */
export async function dropUnserved(db: Kysely<Tables>, domain_id: number): Promise<void> {
  await db.deleteFrom('unserved_records').where('domain_id', '=', domain_id).execute()
}
