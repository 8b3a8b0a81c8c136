/** Reading into memory what the store keeps there. */
import type { Kysely } from 'kysely'
import { type IntentRow, rowOf } from '../../model/intent.ts'
import { EditionMemory } from './edition-memory.ts'
import { newestRelease } from './release-history.ts'
import { recordOf, releasedRowOf } from './rows.ts'
import { StoreMemory } from './store-memory.ts'
import type { Tables } from './tables.ts'

/** Reads everything afresh. No write may happen meanwhile. */
export async function loadMemory(db: Kysely<Tables>): Promise<StoreMemory> {
  const working = new EditionMemory(await workingRows(db))
  const released = new EditionMemory(await releasedRows(db))
  return new StoreMemory({ working, released }, await newestRelease(db))
}

async function workingRows(db: Kysely<Tables>): Promise<IntentRow[]> {
  const rows = await db.selectFrom('domains').selectAll().orderBy('domain').execute()
  return rows.map((row) => rowOf(recordOf(row)))
}

async function releasedRows(db: Kysely<Tables>): Promise<IntentRow[]> {
  const rows = await db
    .selectFrom('released')
    .select(['domain_id', 'revision', 'live', 'retired', 'fields'])
    .orderBy('domain')
    .orderBy('domain_id')
    .execute()
  return rows.map(releasedRowOf)
}
