/** What was sent and could not be written down is not sent again. */
import { expect, it } from 'vitest'
import { NotificationSender } from '../../../src/features/notifications/channels/sender.ts'
import type { NotifierOutcome } from '../../../src/features/notifications/channels/notifier.ts'
import { type Delivery, notificationRecords } from '../../../src/features/notifications/records.ts'
import type { NotificationParts } from '../../../src/features/notifications/parts.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openStore } from '../../../src/store/open.ts'
import { silentMetrics } from '../../fakes/silent-metrics.ts'
import { layInstallation } from '../../kit/new-installation.ts'
import { newFolder } from '../../kit/new-folder.ts'

it.each<NotifierOutcome>([
  { kind: 'delivered', detail: null },
  { kind: 'refused', detail: 'answered 404' },
])('goes out once while the disk is full: $kind', async (outcome) => {
  const directory = newFolder('sender')
  await layInstallation(directory)
  const store = await openStore({ directory, log: silentLog, clock: systemClock })
  const now = systemClock.now()
  const owed: Delivery = {
    id: 'd1',
    channel: 'webhook',
    message: { title: 'routes drifting' } as Delivery['message'],
    tells: [],
    ends: [],
    state: 'owed',
    attempts: 0,
    next_try_at: now,
    detail: null,
    created_at: now,
    ended_at: null,
  }
  await store.write((tx) => tx.of(notificationRecords).saveDelivery(owed))
  let refused = 0
  let is_full = true
  const write: Store['write'] = (work) => {
    if (!is_full) return store.write(work)
    refused += 1
    return Promise.reject(new Failure('storage_full', 'The disk is full.'))
  }
  const full = new Proxy(store, {
    get: (of, name) => (name === 'write' ? write : Reflect.get(of, name).bind(of)),
  })
  let sent = 0
  const notifier = {
    name: 'webhook',
    kind: 'webhook',
    target: 'https://hooks.example',
    send: () => {
      sent += 1
      return Promise.resolve(outcome)
    },
  }
  const parts = {
    store: full,
    clock: systemClock,
    log: silentLog,
    metrics: silentMetrics,
    random: () => 0.5,
  } as unknown as NotificationParts
  const sender = new NotificationSender(parts, notifier as never, () => undefined)
  sender.start()
  for (const count of [1, 2, 3]) {
    await expect.poll(() => refused).toBeGreaterThanOrEqual(count)
    sender.wake()
  }
  is_full = false
  sender.wake()
  const latest = () => store.of(notificationRecords).latestDelivery('webhook')
  await expect.poll(async () => (await latest())!.state).not.toBe('owed')
  expect(sent).toBe(1)
  expect((await latest())!.attempts).toBe(1)
  await sender.stop(1000)
  await store.close()
})
