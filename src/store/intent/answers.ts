/** Remembered answers to calls with an Idempotency-Key: reserved first, answered later, forgotten in the end. */
import { type Kysely, sql } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { RememberedAnswer } from '../../ports/records/answers.ts'
import type { Tables } from '../tables.ts'

export async function rememberedAnswer(db: Kysely<Tables>, key: string): Promise<RememberedAnswer | null> {
  const row = await db
    .selectFrom('answers')
    .select(['request_digest', 'status', 'body'])
    .where('key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return null
  const { request_digest, status, body } = row
  return { request_digest, answer: status === null || body === null ? null : { status, body } }
}

export async function reserveAnswer(
  db: Kysely<Tables>,
  key: string,
  { request_digest, at }: { request_digest: string; at: Instant },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('answers')
    .values({ key, request_digest, reserved_at: at })
    .onConflict((on) => on.column('key').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function saveAnswer(
  db: Kysely<Tables>,
  key: string,
  { status, body }: { status: number; body: string },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('answers')
    .set({ status, body })
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Failure('internal', 'The answer to save was never reserved.')
}

/** Only a reservation: an answer that was given stays given. */
export async function dropAnswer(db: Kysely<Tables>, key: string): Promise<void> {
  await db.deleteFrom('answers').where('key', '=', key).where('status', 'is', null).execute()
}

export async function forgetAnswers(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db.deleteFrom('answers').where('reserved_at', '<', before).execute()
}

/** Behind every text that begins with another: the last code point sorts after all that can stand in a key. */
const LAST = '\u{10ffff}'

export async function forgetMoreAnswers(db: Kysely<Tables>, beginning: string, kept: number): Promise<void> {
  const surplus = db
    .selectFrom('answers')
    .select('key')
    // Without a bound, the rows come from the index by time, in order.
    .$if(beginning !== '', (query) => query.where('key', '>=', beginning).where('key', '<', beginning + LAST))
    .where('status', 'is not', null)
    .orderBy('reserved_at', 'desc')
    .orderBy('key', 'desc')
    // SQLite skips rows only behind a limit; this one is none.
    .limit(-1)
    .offset(kept)
  await db.deleteFrom('answers').where('key', 'in', surplus).execute()
}

export async function forgetAnswerBodies(db: Kysely<Tables>, kept_bytes: number): Promise<void> {
  const newest = db
    .selectFrom('answers')
    // The length of a text in bytes is known without the text being read.
    .select([
      'key',
      sql<number>`sum(octet_length(body)) over (order by reserved_at desc, key desc)`.as('bytes'),
    ])
    .where('status', 'is not', null)
    .as('newest')
  await db
    .updateTable('answers')
    .set({ body: '' })
    .where('key', 'in', db.selectFrom(newest).select('newest.key').where('newest.bytes', '>', kept_bytes))
    .where(sql<number>`octet_length(body)`, '>', 0)
    .execute()
}
