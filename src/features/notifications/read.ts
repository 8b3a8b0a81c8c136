/** How notifications stand: who is told, what is wrong now, and what is on its way. */
import { type Instant, isoTime } from '../../kernel/clock.ts'
import type { Alert } from '../../model/alert.ts'
import type { Notifier } from './channels/notifier.ts'
import { type Delivery, type Noticed, notificationRecords } from './records.ts'
import type { Notifications } from './notifications.ts'
import { observe } from './observe.ts'
import { type DueAlert, isDue, plain } from './observation.ts'
import type { ChannelView, NotificationsAnswer as WithActs, OwedDelivery } from './views.ts'

/** What can be done about one is added where the answer goes out. */
export type OpenAlert = Omit<WithActs['open'][number], 'acts'>
export type NotificationsAnswer = Omit<WithActs, 'open'> & { readonly open: readonly OpenAlert[] }

/** Troubles are those of this moment, also where nobody is told. What is seen here is taken up soon. */
export async function readNotifications(
  { parts, watch }: Notifications,
  signal: AbortSignal,
): Promise<NotificationsAnswer> {
  watch.changed()
  const { store, notifiers, policy } = parts
  const owed = await store.of(notificationRecords).owedDeliveries()
  return {
    configured: notifiers.length > 0,
    after_seconds: policy.after_ms / 1000,
    repeat_seconds: policy.repeat_ms === null ? null : policy.repeat_ms / 1000,
    channels: await Promise.all(notifiers.map((notifier) => channelView(parts, notifier, owed))),
    open: await openAlerts({ parts, watch }, signal),
    owed: owed.map(owedView),
  }
}

async function channelView(
  { store }: Notifications['parts'],
  { name, kind, target }: Notifier,
  owed: readonly Delivery[],
): Promise<ChannelView> {
  const sent = await store.of(notificationRecords).latestDelivery(name, ['sent'])
  const newest = await store.of(notificationRecords).latestDelivery(name)
  return {
    name,
    kind,
    target,
    last_sent_at: sent === null ? null : isoTime(sent.ended_at!),
    last_sent_detail: sent?.detail ?? null,
    last_error: newest === null || newest.state === 'sent' ? null : newest.detail,
    owed: owed.filter(({ channel }) => channel === name).length,
  }
}

/** Those of this moment, and those that were noticed and cannot be looked at now. */
export async function openAlerts(
  { parts, watch }: Pick<Notifications, 'parts' | 'watch'>,
  signal: AbortSignal,
): Promise<readonly OpenAlert[]> {
  const now = parts.clock.now()
  const { alerts } = await observe(parts, { now, awake_since: watch.awakeSince(now) }, signal)
  return openAmong(parts, alerts, now)
}

/** The same by the last look of the watch, without one of its own; null before the first. */
export async function keptAlerts({ parts, watch }: Pick<Notifications, 'parts' | 'watch'>): Promise<{
  readonly open: readonly OpenAlert[]
  readonly at: Instant
} | null> {
  const { last } = watch
  if (last === null) return null
  return { open: await openAmong(parts, last.observation.alerts, parts.clock.now()), at: last.at }
}

async function openAmong(
  { store }: Pick<Notifications['parts'], 'store'>,
  alerts: readonly DueAlert[],
  now: Instant,
): Promise<readonly OpenAlert[]> {
  const noticed = await store.of(notificationRecords).noticedAlerts()
  const due = alerts.filter((alert) => isDue(alert, now)).map(plain)
  const seen = new Set(due.map(({ id }) => id))
  const by_id = new Map(noticed.map((row) => [row.alert.id, row]))
  const unseen = noticed.filter((row) => row.gone_at === null && !seen.has(row.alert.id))
  return [
    ...due.map((alert) => openView(alert, by_id.get(alert.id), true)),
    ...unseen.map((row) => openView(row.alert, row, false)),
  ]
}

const openView = (alert: Alert, row: Noticed | undefined, seen: boolean): OpenAlert => ({
  ...alert,
  since: isoTime(alert.since),
  noticed_at: row === undefined || row.gone_at !== null ? null : isoTime(row.noticed_at),
  told: (row?.told ?? []).map(({ channel }) => channel),
  seen,
})

const owedView = ({ id, channel, attempts, message, ...delivery }: Delivery): OwedDelivery => ({
  id,
  channel,
  attempts,
  title: message.title,
  created_at: isoTime(delivery.created_at),
  next_try_at: isoTime(delivery.next_try_at),
  last_error: delivery.detail,
})
