/**
 * The rows of mails: that each was begun, before it is sent, and how that ended. Texts and recipients are not kept. They
 * mirror `schema/0005-people.sql`.
 */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { recordSet } from '../../ports/record-set.ts'

export interface MailRecord {
  readonly id: string
  readonly key: string
  /** The Message-ID header (RFC 5322 §3.6.4), ours and fixed before the send. */
  readonly message_id: string
  readonly from_address: string
  readonly recipients: number
  /** `begun`: not out yet. `sending`: it may be out. `refused`: certainly not accepted. `unknown`: it may have left, and is never sent again by itself. */
  readonly state: 'begun' | 'sending' | 'sent' | 'refused' | 'unknown'
  readonly detail: string | null
  readonly provider_id: string | null
  readonly begun_at: Instant
  readonly ended_at: Instant | null
}

type Db = Kysely<{ mails: MailRecord }>

async function mailByKey(db: Db, key: string): Promise<MailRecord | null> {
  return (await db.selectFrom('mails').selectAll().where('key', '=', key).executeTakeFirst()) ?? null
}

/** How many were begun since then until now, and when the oldest of them was. One of a later time is of a clock that was ahead. */
async function mailsSince(
  db: Db,
  since: Instant,
  now: Instant,
): Promise<{ readonly count: number; readonly oldest: Instant | null }> {
  const { count, oldest } = await db
    .selectFrom('mails')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('begun_at').as('oldest')])
    .where('begun_at', '>', since)
    .where('begun_at', '<=', now)
    .executeTakeFirstOrThrow()
  return { count: Number(count), oldest: oldest === null ? null : Number(oldest) }
}

/** The newest that ended in this state. */
async function lastMail(db: Db, state: MailRecord['state']): Promise<MailRecord | null> {
  const row = await db
    .selectFrom('mails')
    .selectAll()
    .where('state', '=', state)
    .orderBy('begun_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** By id. A second mail under a key throws `conflict`. */
async function saveMail(db: Db, { id, key, ...mail }: MailRecord): Promise<void> {
  const other = await db
    .selectFrom('mails')
    .select('id')
    .where('key', '=', key)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (other !== undefined) throw new Failure('conflict', 'A mail with this key was begun already.')
  const { message_id, from_address, recipients, state, detail, provider_id, begun_at, ended_at } = mail
  const columns = { message_id, from_address, recipients, state, detail, provider_id, begun_at, ended_at }
  await db
    .insertInto('mails')
    .values({ id, key, ...columns })
    .onConflict((on) => on.column('id').doUpdateSet(columns))
    .execute()
}

const INTERRUPTED = [
  ['begun', 'refused', 'The daemon ended before it went out.'],
  ['sending', 'unknown', 'The daemon ended while it was being sent.'],
] as const

/** At start: those that were being sent when the process died are `unknown`, those only begun `refused`. Answers how many. */
async function interruptMails(db: Db, at: Instant): Promise<number> {
  let count = 0
  for (const [state, becomes, detail] of INTERRUPTED) {
    const { numUpdatedRows } = await db
      .updateTable('mails')
      .set({ state: becomes, detail, ended_at: at })
      .where('state', '=', state)
      .executeTakeFirstOrThrow()
    count += Number(numUpdatedRows)
  }
  return count
}

async function forgetMails(db: Db, before: Instant): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('begun_at', '<', before)
    .where('state', 'not in', ['begun', 'sending'])
    .execute()
}

export const mailRecords = recordSet({
  reads: { mailByKey, mailsSince, lastMail },
  writes: { saveMail, interruptMails, forgetMails },
})
