/**
 * The rows of notifications: alerts that were noticed, who was told of them, and what is still to be told. They mirror
 * `schema/0009-notifications.sql`.
 */
import { type Kysely, sql } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { NotificationMessage } from '../../model/notification.ts'
import type { Severity, Alert } from '../../model/alert.ts'
import { recordSet } from '../../ports/record-set.ts'
import { storedJson } from '../../store/stored-json.ts'

/** An alert that has lasted long enough to be sent, until some time after its end. */
export interface Noticed {
  readonly alert: Alert
  readonly noticed_at: Instant
  /** Since when it is known to be over; null while it is not. */
  readonly gone_at: Instant | null
  /** How often it came back within a while of its end. */
  readonly returns: number
  /** Channels that believe it to be open. */
  readonly told: readonly Telling[]
}

export interface Telling {
  readonly channel: string
  /** The worst that was told. */
  readonly severity: Severity
  /** When it was told last. */
  readonly at: Instant
}

type DeliveryState = 'owed' | 'sent' | 'refused' | 'given_up'

/** One message to one channel. It never changes: every try sends the same. */
export interface Delivery {
  readonly id: string
  readonly channel: string
  readonly message: NotificationMessage
  /** What the channel believes once it has the message. */
  readonly tells: readonly { readonly id: string; readonly severity: Severity }[]
  /** Ids of alerts that it believes to be over then. */
  readonly ends: readonly string[]
  readonly state: DeliveryState
  readonly attempts: number
  readonly next_try_at: Instant
  /** Of the last try, or a remark on how it went; null before. */
  readonly detail: string | null
  readonly created_at: Instant
  readonly ended_at: Instant | null
}

type NoticedRow = Omit<Noticed, 'alert' | 'told'> & { id: string; trouble: string; told: string }
type DeliveryRow = Omit<Delivery, 'message' | 'tells' | 'ends'> & {
  message: string
  tells: string
  ends: string
}
type Db = Kysely<{ noticed_troubles: NoticedRow; notification_deliveries: DeliveryRow }>

/** Ordered by the alert's id. */
async function noticedAlerts(db: Db): Promise<readonly Noticed[]> {
  const rows = await db.selectFrom('noticed_troubles').selectAll().orderBy('id').execute()
  return rows.map(({ trouble, noticed_at, gone_at, returns, told }) => ({
    alert: storedJson<Noticed['alert']>(trouble),
    noticed_at,
    gone_at,
    returns,
    told: storedJson<Noticed['told']>(told),
  }))
}

/** Those that are still to be made; the oldest first. */
async function owedDeliveries(db: Db): Promise<readonly Delivery[]> {
  const rows = await db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('state', '=', 'owed')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(deliveryOf)
}

/** The newest of a channel, in any state or in one of these: the one that was begun last, whatever the clock said then. */
async function latestDelivery(
  db: Db,
  channel: string,
  states?: readonly DeliveryState[],
): Promise<Delivery | null> {
  const of = db.selectFrom('notification_deliveries').selectAll().where('channel', '=', channel)
  const row = await (states === undefined ? of : of.where('state', 'in', states))
    .orderBy(sql`rowid`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : deliveryOf(row)
}

const deliveryOf = (row: DeliveryRow): Delivery => ({
  ...row,
  message: storedJson<Delivery['message']>(row.message),
  tells: storedJson<Delivery['tells']>(row.tells),
  ends: storedJson<Delivery['ends']>(row.ends),
})

/** By the alert's id. */
async function saveNoticed(db: Db, noticed: readonly Noticed[]): Promise<void> {
  for (const { alert, noticed_at, gone_at, returns, told } of noticed) {
    const columns = {
      trouble: JSON.stringify(alert),
      noticed_at,
      gone_at,
      returns,
      told: JSON.stringify(told),
    }
    await db
      .insertInto('noticed_troubles')
      .values({ id: alert.id, ...columns })
      .onConflict((on) => on.column('id').doUpdateSet(columns))
      .execute()
  }
}

/** One by one: a statement takes only so many parameters. */
async function forgetNoticed(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.deleteFrom('noticed_troubles').where('id', '=', id).execute()
}

/** By id. */
async function saveDelivery(db: Db, delivery: Delivery): Promise<void> {
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

/** Drops what ended before then. */
async function forgetDeliveries(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('notification_deliveries').where('ended_at', '<', before).execute()
}

export const notificationRecords = recordSet({
  reads: { noticedAlerts, owedDeliveries, latestDelivery },
  writes: { saveNoticed, forgetNoticed, saveDelivery, forgetDeliveries },
})
