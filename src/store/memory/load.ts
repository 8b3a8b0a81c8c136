/** Reading into memory what the store keeps there. */
import type { Kysely } from 'kysely'
import { type IntentRow, rowOf } from '../../model/intent.ts'
import { EditionMemory } from './editions.ts'
import { newestRelease } from '../intent/release-history.ts'
import type { DamagedRecord } from '../../ports/records/damaged.ts'
import { isDamaged } from '../intent/record-digest.ts'
import { recordOf, releasedRowOf } from '../rows.ts'
import { StoreMemory } from './state.ts'
import type { Tables } from '../tables.ts'

/** Reads everything afresh. No write may happen meanwhile. */
export async function loadMemory(db: Kysely<Tables>): Promise<StoreMemory> {
  const released = await releasedRows(db)
  const { sound, damaged } = await workingRows(db)
  const editions = {
    working: new EditionMemory(damaged.length === 0 ? sound : completed(sound, released, damaged)),
    released: new EditionMemory(released),
  }
  return new StoreMemory(editions, await newestRelease(db), damaged)
}

async function workingRows(
  db: Kysely<Tables>,
): Promise<{ readonly sound: IntentRow[]; readonly damaged: DamagedRecord[] }> {
  const rows = await db.selectFrom('domains').selectAll().orderBy('domain').execute()
  const { sound = [], damaged = [] } = Object.groupBy(rows, (row) => (isDamaged(row) ? 'damaged' : 'sound'))
  return {
    sound: sound.map((row) => rowOf(recordOf(row))),
    damaged: damaged.map(({ id, domain }) => ({ domain_id: id, domain })),
  }
}

/**
 * What is damaged stays as it was deployed. So does what is live and has no record while anything is damaged: the number
 * of a record is damaged as easily as the rest of it, and then it only seems to be gone.
 */
function completed(
  sound: readonly IntentRow[],
  released: readonly IntentRow[],
  damaged: readonly DamagedRecord[],
): IntentRow[] {
  const known = new Set(sound.map(({ domain_id }) => domain_id))
  const unknown = new Set(damaged.map(({ domain_id }) => domain_id))
  const kept = released.filter(
    ({ domain_id, live }) => unknown.has(domain_id) || (live && !known.has(domain_id)),
  )
  return [...sound, ...kept]
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
