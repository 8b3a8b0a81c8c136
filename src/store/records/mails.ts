/** Mails: a row before each send, its outcome after. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { MailReader, MailRecord, MailWriter } from '../../ports/records/mail.ts'
import type { Tables } from '../tables.ts'

export const mailReader = (use: () => Kysely<Tables>): MailReader => ({
  mailByKey: async (key) => {
    const row = await use().selectFrom('mails').selectAll().where('key', '=', key).executeTakeFirst()
    return row ?? null
  },
  mailsSince: async (since) => {
    const { count, oldest } = await use()
      .selectFrom('mails')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('begun_at').as('oldest')])
      .where('begun_at', '>', since)
      .executeTakeFirstOrThrow()
    return { count: Number(count), oldest: oldest === null ? null : Number(oldest) }
  },
  lastMail: async (state) => {
    const row = await use()
      .selectFrom('mails')
      .selectAll()
      .where('state', '=', state)
      .orderBy('begun_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row ?? null
  },
})

/** @param doom what happens to the transaction when a write fails */
export const mailWriter = (
  db: Kysely<Tables>,
  doom: (error: unknown) => never,
): Omit<MailWriter, keyof MailReader> => ({
  saveMail: (mail) => saveMail(db, mail).catch(doom),
  interruptMails: (at) => interruptMails(db, at).catch(doom),
  forgetMails: (before) => forgetMails(db, before).catch(doom),
})

async function saveMail(db: Kysely<Tables>, { id, key, ...mail }: MailRecord): Promise<void> {
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

async function interruptMails(db: Kysely<Tables>, at: Instant): Promise<number> {
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

const INTERRUPTED = [
  ['begun', 'refused', 'The daemon ended before it went out.'],
  ['sending', 'unknown', 'The daemon ended while it was being sent.'],
] as const

async function forgetMails(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('begun_at', '<', before)
    .where('state', 'not in', ['begun', 'sending'])
    .execute()
}
