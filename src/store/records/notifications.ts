/** Troubles that were noticed, and messages about them. They mirror `schema/0009-notifications.sql`. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type {
  Delivery,
  NotificationReader,
  NotificationWriter,
  Noticed,
} from '../../ports/records/notifications.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

export interface NotificationTables {
  noticed_troubles: {
    id: string
    trouble: string
    noticed_at: number
    gone_at: number | null
    returns: number
    told: string
  }
  notification_deliveries: Omit<Delivery, 'message' | 'tells' | 'ends'> & {
    message: string
    tells: string
    ends: string
  }
}

export const notificationReader = (use: () => Kysely<Tables>): NotificationReader => ({
  noticedTroubles: async () => {
    const rows = await use().selectFrom('noticed_troubles').selectAll().orderBy('id').execute()
    return rows.map(({ noticed_at, gone_at, returns, ...row }) => ({
      trouble: storedJson<Noticed['trouble']>(row.trouble),
      noticed_at,
      gone_at,
      returns,
      told: storedJson<Noticed['told']>(row.told),
    }))
  },
  owedDeliveries: async () => {
    const rows = await use()
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('state', '=', 'owed')
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(deliveryOf)
  },
  latestDelivery: async (channel, states) => {
    const of = use().selectFrom('notification_deliveries').selectAll().where('channel', '=', channel)
    const row = await (states === undefined ? of : of.where('state', 'in', states))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : deliveryOf(row)
  },
})

const deliveryOf = (row: NotificationTables['notification_deliveries']): Delivery => ({
  ...row,
  message: storedJson<Delivery['message']>(row.message),
  tells: storedJson<Delivery['tells']>(row.tells),
  ends: storedJson<Delivery['ends']>(row.ends),
})

/** @param doom what happens to the transaction when a write fails */
export const notificationWriter = (
  db: Kysely<Tables>,
  doom: (error: unknown) => never,
): Omit<NotificationWriter, keyof NotificationReader> => ({
  saveNoticed: (noticed) => saveNoticed(db, noticed).catch(doom),
  forgetNoticed: (ids) => forgetNoticed(db, ids).catch(doom),
  saveDelivery: (delivery) => saveDelivery(db, delivery).catch(doom),
  forgetDeliveries: (before) => forgetDeliveries(db, before).catch(doom),
})

async function saveNoticed(db: Kysely<Tables>, noticed: readonly Noticed[]): Promise<void> {
  for (const { trouble, noticed_at, gone_at, returns, told } of noticed) {
    const columns = {
      trouble: JSON.stringify(trouble),
      noticed_at,
      gone_at,
      returns,
      told: JSON.stringify(told),
    }
    await db
      .insertInto('noticed_troubles')
      .values({ id: trouble.id, ...columns })
      .onConflict((on) => on.column('id').doUpdateSet(columns))
      .execute()
  }
}

/** One by one: a statement takes only so many parameters. */
async function forgetNoticed(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom('noticed_troubles').where('id', '=', id).execute()
}

async function saveDelivery(db: Kysely<Tables>, delivery: Delivery): Promise<void> {
  const { id, channel, created_at, state, attempts, next_try_at, detail, ended_at } = delivery
  const outcome = { state, attempts, next_try_at, detail, ended_at }
  const fixed = {
    message: JSON.stringify(delivery.message),
    tells: JSON.stringify(delivery.tells),
    ends: JSON.stringify(delivery.ends),
  }
  await db
    .insertInto('notification_deliveries')
    .values({ id, channel, created_at, ...fixed, ...outcome })
    .onConflict((on) => on.column('id').doUpdateSet(outcome))
    .execute()
}

async function forgetDeliveries(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db.deleteFrom('notification_deliveries').where('ended_at', '<', before).execute()
}
