/** The rows of heartbeats and of their tokens, which are known by digest alone. They mirror `schema/0018-heartbeats.sql`. */
import type { Generated, Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { ENDED_MARK, endedDigest } from '../../kernel/issued-secret.ts'
import { recordSet } from '../../ports/record-set.ts'
import type { Heartbeat } from './state.ts'

export interface HeartbeatToken {
  readonly id: string
  readonly heartbeat_id: number
  /** SHA-256 of the secret, lower-case hexadecimal; of one that has ended for good, what `endedDigest` makes of it. */
  readonly digest: string
  readonly created_at: Instant
  /** Null while it is valid without end. */
  readonly expires_at: Instant | null
}

interface HeartbeatTables {
  heartbeats: Omit<Heartbeat, 'id'> & { readonly id: Generated<number> }
  heartbeat_tokens: HeartbeatToken
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

/** The token with this digest, ended or not; null where there is none. */
async function heartbeatTokenByDigest(db: Db, digest: string): Promise<HeartbeatToken | null> {
  const row = await db
    .selectFrom('heartbeat_tokens')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row ?? null
}

/** The oldest first. */
const heartbeatTokens = (db: Db, heartbeat_id: number): Promise<readonly HeartbeatToken[]> =>
  db
    .selectFrom('heartbeat_tokens')
    .selectAll()
    .where('heartbeat_id', '=', heartbeat_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

async function addHeartbeatToken(
  db: Db,
  { id, heartbeat_id, digest, created_at, expires_at }: HeartbeatToken,
): Promise<void> {
  await db
    .insertInto('heartbeat_tokens')
    .values({ id, heartbeat_id, digest, created_at, expires_at })
    .execute()
}

/** It goes on until then. */
async function limitHeartbeatToken(db: Db, id: string, expires_at: Instant): Promise<void> {
  await db.updateTable('heartbeat_tokens').set({ expires_at }).where('id', '=', id).execute()
}

/** For good: no secret has its digest from now on. One that is not there any more is left alone. */
async function endHeartbeatToken(db: Db, id: string, expires_at: Instant): Promise<void> {
  const row = await db.selectFrom('heartbeat_tokens').select('digest').where('id', '=', id).executeTakeFirst()
  if (row === undefined) return
  const digest = endedDigest(row.digest)
  await db.updateTable('heartbeat_tokens').set({ digest, expires_at }).where('id', '=', id).execute()
}

/** Of everything, those that have come to their end by the clock and are not ended for good. */
const pastHeartbeatTokens = (db: Db, at: Instant): Promise<readonly HeartbeatToken[]> =>
  db
    .selectFrom('heartbeat_tokens')
    .selectAll()
    .where('expires_at', '<=', at)
    .where('digest', 'not like', `${ENDED_MARK}%`)
    .execute()

/** Drops what has ended before then. A token without an end has none before any time. */
async function forgetHeartbeatTokens(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('heartbeat_tokens').where('expires_at', '<', before).execute()
}

export const heartbeatRecords = recordSet({
  reads: { heartbeats, heartbeat, heartbeatTokenByDigest, heartbeatTokens, pastHeartbeatTokens },
  writes: {
    insertHeartbeat,
    saveHeartbeatContact,
    deleteHeartbeat,
    addHeartbeatToken,
    limitHeartbeatToken,
    endHeartbeatToken,
    forgetHeartbeatTokens,
  },
  closes: { deleteHeartbeat: () => true, limitHeartbeatToken: () => true, endHeartbeatToken: () => true },
})
