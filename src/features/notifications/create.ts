/**
 * Puts notifications together: one watch, and a sender for each channel. Without a channel it looks all the same, for
 * whoever asks what is open, and remembers nothing.
 */
import type { Milliseconds } from '../../kernel/clock.ts'
import type { Notifications } from './notifications.ts'
import type { NotificationParts } from './parts.ts'
import { forgetChannels } from './channels/forget-channels.ts'
import { NotificationSender } from './channels/sender.ts'
import { NotificationWatch } from './watch.ts'

const DRAIN_MS: Milliseconds = 1000

export function createNotifications(parts: NotificationParts): Notifications {
  const { notifiers, store, clock } = parts
  const watch = new NotificationWatch(parts, () => {
    for (const sender of senders) sender.wake()
  })
  const senders = notifiers.map((notifier) => new NotificationSender(parts, notifier, () => watch.changed()))
  return {
    parts,
    watch,
    async prepare() {
      if (notifiers.length > 0) await store.write((tx) => forgetChannels(tx, parts, clock.now()))
    },
    start() {
      watch.start()
      for (const sender of senders) sender.start()
    },
    async stop() {
      await watch.stop(DRAIN_MS)
      await Promise.all(senders.map((sender) => sender.stop(DRAIN_MS)))
    },
  }
}
