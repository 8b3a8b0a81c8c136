/** Channels that are not configured any more: nothing is owed to them, and nobody believes anything there. */
import type { Instant } from '../../../kernel/clock.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import type { NotificationParts } from '../parts.ts'
import { notificationRecords } from '../records.ts'

export async function forgetChannels(
  tx: StoreWriter,
  { notifiers }: Pick<NotificationParts, 'notifiers'>,
  at: Instant,
): Promise<void> {
  const names = new Set(notifiers.map(({ name }) => name))
  for (const delivery of await tx.of(notificationRecords).owedDeliveries())
    if (!names.has(delivery.channel))
      await tx.of(notificationRecords).saveDelivery({
        ...delivery,
        state: 'given_up',
        detail: 'The channel is not configured any more.',
        ended_at: at,
      })
  const rows = (await tx.of(notificationRecords).noticedAlerts()).filter(({ told }) =>
    told.some(({ channel }) => !names.has(channel)),
  )
  await tx
    .of(notificationRecords)
    .saveNoticed(rows.map((row) => ({ ...row, told: row.told.filter(({ channel }) => names.has(channel)) })))
}
