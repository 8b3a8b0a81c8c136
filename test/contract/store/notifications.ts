/** Noticed troubles and deliveries, as every store must keep them. */
import { expect, it } from 'vitest'
import {
  type Delivery,
  type Noticed,
  notificationRecords,
} from '../../../src/features/notifications/records.ts'
import { testMessage } from '../../../src/features/notifications/message.ts'
import { eachStore, type OpenStore } from './opened.ts'

const noticed = (id: string, fields: Partial<Noticed> = {}): Noticed => ({
  alert: {
    id,
    kind: 'drift_lasting',
    severity: 'notice',
    component: 'routes',
    key: 'routes',
    domains: ['app.example.com'],
    since: 1000,
    message: 'It "differs".',
    remedy: 'Deploy.',
  },
  noticed_at: 2000,
  gone_at: null,
  returns: 0,
  told: [],
  ...fields,
})

const delivery = (id: string, fields: Partial<Delivery> = {}): Delivery => ({
  id,
  channel: 'mail',
  message: testMessage({ id, at: 3000, source: 'https://ctl.example.com' }),
  tells: [{ id: 'a', severity: 'warning' }],
  ends: ['b'],
  state: 'owed',
  attempts: 0,
  next_try_at: 3000,
  detail: null,
  created_at: 3000,
  ended_at: null,
  ...fields,
})

export function notificationsContract(open: OpenStore): void {
  const opened = eachStore(open)

  it('troubles are kept by id, replaced as a whole, and forgotten', async () => {
    const { store } = opened
    await store.write((tx) => tx.of(notificationRecords).saveNoticed([noticed('b'), noticed('a')]))
    const told = [{ channel: 'mail', severity: 'urgent', at: 5000 }] as const
    const gone = noticed('b', { gone_at: 9000, returns: 2, told })
    await store.write((tx) => tx.of(notificationRecords).saveNoticed([gone]))
    expect(await store.of(notificationRecords).noticedAlerts()).toEqual([noticed('a'), gone])
    await store.write((tx) => tx.of(notificationRecords).forgetNoticed(['a', 'nobody']))
    expect(await store.of(notificationRecords).noticedAlerts()).toEqual([gone])
  })

  it('deliveries are owed in order until they end, and their message never changes', async () => {
    const { store } = opened
    const second = delivery('2', { created_at: 4000, channel: 'webhook' })
    await store.write(async (tx) => {
      await tx.of(notificationRecords).saveDelivery(second)
      await tx.of(notificationRecords).saveDelivery(delivery('1'))
    })
    expect(await store.of(notificationRecords).owedDeliveries()).toEqual([delivery('1'), second])
    const other = testMessage({ id: 'x', at: 1, source: 'elsewhere' })
    const sent = delivery('1', { state: 'sent', attempts: 3, detail: 'late', ended_at: 8000 })
    await store.write((tx) =>
      tx.of(notificationRecords).saveDelivery({ ...sent, message: other, tells: [], ends: [] }),
    )
    expect(await store.of(notificationRecords).owedDeliveries()).toEqual([second])
    expect(await store.of(notificationRecords).latestDelivery('mail')).toEqual(sent)
  })

  it('the newest of a channel is found, also by state, and old ends are forgotten', async () => {
    const { store } = opened
    expect(await store.of(notificationRecords).latestDelivery('mail')).toBeNull()
    await store.write(async (tx) => {
      await tx.of(notificationRecords).saveDelivery(delivery('1', { state: 'sent', ended_at: 3500 }))
      await tx
        .of(notificationRecords)
        .saveDelivery(delivery('2', { state: 'refused', created_at: 5000, ended_at: 5500 }))
      await tx.of(notificationRecords).saveDelivery(delivery('3', { created_at: 9000, channel: 'webhook' }))
    })
    expect(await store.of(notificationRecords).latestDelivery('mail')).toMatchObject({ id: '2' })
    expect(await store.of(notificationRecords).latestDelivery('mail', ['sent', 'owed'])).toMatchObject({
      id: '1',
    })
    expect(await store.of(notificationRecords).latestDelivery('nobody')).toBeNull()
    // As a clock that was set back has it.
    const later = delivery('0', { state: 'sent', created_at: 1000, ended_at: 1500 })
    await store.write((tx) => tx.of(notificationRecords).saveDelivery(later))
    expect(await store.of(notificationRecords).latestDelivery('mail')).toEqual(later)
    await store.write((tx) => tx.of(notificationRecords).forgetDeliveries(6000))
    expect(await store.of(notificationRecords).latestDelivery('mail')).toBeNull()
    expect(await store.of(notificationRecords).owedDeliveries(), 'what is owed is not old').toHaveLength(1)
  })

  it('a write that is undone leaves nothing', async () => {
    const { store } = opened
    const undone = store.write(async (tx) => {
      await tx.of(notificationRecords).saveNoticed([noticed('a')])
      await tx.of(notificationRecords).saveDelivery(delivery('1'))
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect([
      await store.of(notificationRecords).noticedAlerts(),
      await store.of(notificationRecords).owedDeliveries(),
    ]).toEqual([[], []])
  })
}
