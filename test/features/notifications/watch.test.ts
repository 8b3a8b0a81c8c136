/** A channel has one message on its way, whatever the clock says of those before it. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FindingSource } from '../../../src/core/finding.ts'
import type { NotificationParts } from '../../../src/features/notifications/parts.ts'
import { type Delivery, notificationRecords } from '../../../src/features/notifications/records.ts'
import { NotificationWatch } from '../../../src/features/notifications/watch.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openStore } from '../../../src/store/open.ts'
import { handClock, type HandClock } from '../../fakes/hand-clock.ts'
import { silentMetrics } from '../../fakes/silent-metrics.ts'
import { layInstallation } from '../../kit/new-installation.ts'
import { alert, MINUTE_MS } from './samples.ts'
import { newFolder } from '../../kit/new-folder.ts'

const CHANNEL = 'webhook'
const { signal } = new AbortController()

let directory: string
let clock: HandClock
let store: Store
beforeEach(async () => {
  directory = newFolder('watch')
  await layInstallation(directory)
  clock = handClock()
  store = await openStore({ directory, log: silentLog, clock })
})
afterEach(() => store.close())

/** Its channel takes nothing: nobody sends what is owed. */
function watchOver(findings: FindingSource): NotificationWatch {
  const notifier = { name: CHANNEL, kind: 'webhook', target: 'https://hooks.example' }
  const parts = {
    store,
    clock,
    log: silentLog,
    metrics: silentMetrics,
    engine: { conditions: () => Promise.resolve([]) },
    watched: () => [],
    findings: () => [findings],
    words: () => ({}),
    random: () => 0.5,
    notifiers: [notifier],
    policy: { after_ms: 10 * MINUTE_MS, repeat_ms: null },
    source: () => 'https://ctl.example.com',
  } as unknown as NotificationParts
  return new NotificationWatch(parts, () => undefined)
}

const owed = () => store.of(notificationRecords).owedDeliveries()

it('begins no other while one is owed, though one before it was sent by a clock that was ahead', async () => {
  const ahead = clock.now() + 5 * 60 * MINUTE_MS
  const sent: Delivery = {
    id: 'sent-before',
    channel: CHANNEL,
    message: { title: 'routes drifting' } as Delivery['message'],
    tells: [],
    ends: [],
    state: 'sent',
    attempts: 1,
    next_try_at: ahead,
    detail: null,
    created_at: ahead,
    ended_at: ahead,
  }
  await store.write((tx) => tx.of(notificationRecords).saveDelivery(sent))
  const finding = { ...alert({ since: clock.now() }), alert_after_ms: 0 }
  const watch = watchOver(() => Promise.resolve({ findings: [finding], indeterminate: [] }))
  await watch.look(signal)
  clock.pass(2 * MINUTE_MS)
  await watch.look(signal)
  expect(await owed()).toHaveLength(1)
  clock.pass(10_000)
  await watch.look(signal)
  expect(await owed()).toHaveLength(1)
  expect(await store.of(notificationRecords).latestDelivery(CHANNEL)).toMatchObject({ state: 'owed' })
})
