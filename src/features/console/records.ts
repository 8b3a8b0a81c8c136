/** The rows of sign-ins, which are known by digests alone. They mirror `0023-console-sessions.sql` and what follows it in `schema`. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { recordSet } from '../../ports/record-set.ts'

export interface SessionRow {
  /** 16 hexadecimal digits of no meaning; the first four tell it from the others. */
  readonly id: string
  /** SHA-256 of the cookie, lower-case hexadecimal. */
  readonly digest: string
  /** The same of the secret that its page keeps; null: it was begun before there was one. */
  readonly secret_digest: string | null
  readonly way: 'key' | 'link'
  /** Of the API key on which it rests. */
  readonly key_id: string
  /** From where it was begun. */
  readonly client: string
  readonly agent: string | null
  readonly created_at: Instant
  readonly used_at: Instant
}

type Db = Kysely<{ console_sessions: SessionRow }>

/** The oldest first. */
const sessions = (db: Db): Promise<readonly SessionRow[]> =>
  db.selectFrom('console_sessions').selectAll().orderBy('created_at').orderBy('id').execute()

async function insertSession(
  db: Db,
  { id, digest, secret_digest, way, key_id, client, agent, created_at, used_at }: SessionRow,
): Promise<void> {
  await db
    .insertInto('console_sessions')
    .values({ id, digest, secret_digest, way, key_id, client, agent, created_at, used_at })
    .execute()
}

/** Nothing happens where it is gone. */
async function saveSessionTimes(
  db: Db,
  { id, created_at, used_at }: Pick<SessionRow, 'id' | 'created_at' | 'used_at'>,
): Promise<void> {
  await db.updateTable('console_sessions').set({ created_at, used_at }).where('id', '=', id).execute()
}

async function deleteSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom('console_sessions').where('id', '=', id).execute()
}

export const sessionRecords = recordSet({
  reads: { sessions },
  writes: { insertSession, saveSessionTimes, deleteSession },
  closes: { deleteSession: () => true },
})
