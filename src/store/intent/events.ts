/** What happened, for whoever listens. A number is never given twice, so that a listener can go on where it stopped. */
import type { Kysely } from 'kysely'
import type { NewEvent, StoredEvent } from '../../ports/records/trails.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

export async function eventsAfter(db: Kysely<Tables>, id: number, limit: number): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, facts: storedJson<Record<string, unknown>>(row.facts) }))
}

export async function addEvent(db: Kysely<Tables>, { at, kind, message, facts }: NewEvent): Promise<number> {
  const { id } = await db
    .insertInto('events')
    .values({ at, kind, message, facts: JSON.stringify(facts) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Counted in rows, not in numbers: other databases leave gaps. With fewer rows than `keep` there is nothing to compare with. */
export async function trimEvents(db: Kysely<Tables>, keep: number): Promise<void> {
  await db
    .deleteFrom('events')
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('events as newest')
        .select('newest.id')
        .orderBy('newest.id', 'desc')
        .limit(1)
        .offset(keep),
    )
    .execute()
}
