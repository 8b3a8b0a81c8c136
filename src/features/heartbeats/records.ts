/** The rows of heartbeats and of their tokens, which are known by digest alone. They mirror `schema/0018-heartbeats.sql`. */
import type { Generated, Kysely } from 'kysely'
import { Failure } from '../../kernel/failure.ts'
import { recordSet } from '../../ports/record-set.ts'
import { tokenRecords } from '../../store/token-rows.ts'
import type { Heartbeat } from './state.ts'

interface HeartbeatTables {
  heartbeats: Omit<Heartbeat, 'id'> & { readonly id: Generated<number> }
  heartbeat_tokens: { readonly heartbeat_id: number }
}
type Db = Kysely<HeartbeatTables>

/** Ordered by name. */
const heartbeats = (db: Db): Promise<readonly Heartbeat[]> =>
  db.selectFrom('heartbeats').selectAll().orderBy('name').execute()

async function heartbeat(db: Db, name: string): Promise<Heartbeat | null> {
  return (await db.selectFrom('heartbeats').selectAll().where('name', '=', name).executeTakeFirst()) ?? null
}

/** Throws `name_taken`. Ids are never given twice. */
async function insertHeartbeat(
  db: Db,
  { name, created_at }: Pick<Heartbeat, 'name' | 'created_at'>,
): Promise<Heartbeat> {
  // There is one writer, so nobody takes the name between this and the write.
  if ((await heartbeat(db, name)) !== null)
    throw new Failure('name_taken', `There is a heartbeat ${name} already.`, { facts: { name } })
  return db
    .insertInto('heartbeats')
    .values({ name, created_at, last_seen: null, silent_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Nothing happens where it is gone. */
async function saveHeartbeatContact(
  db: Db,
  id: number,
  { last_seen, silent_at }: Pick<Heartbeat, 'last_seen' | 'silent_at'>,
): Promise<void> {
  await db.updateTable('heartbeats').set({ last_seen, silent_at }).where('id', '=', id).execute()
}

/** With its tokens. */
async function deleteHeartbeat(db: Db, id: number): Promise<void> {
  await db.deleteFrom('heartbeat_tokens').where('heartbeat_id', '=', id).execute()
  await db.deleteFrom('heartbeats').where('id', '=', id).execute()
}

export const heartbeatRecords = recordSet({
  reads: { heartbeats, heartbeat },
  writes: {
    insertHeartbeat,
    saveHeartbeatContact,
    deleteHeartbeat,
  },
  closes: { deleteHeartbeat: () => true },
})

/** Each keeps its heartbeat alive and opens nothing else. */
export const heartbeatTokens = tokenRecords('heartbeat_tokens', 'heartbeat_id')
