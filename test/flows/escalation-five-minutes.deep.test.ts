/**
 * The five real minutes of the second recipient, over the file as it is written; and beside them, at its real pace, what we
 * tell of a router that is down. It takes six minutes, in which it does next to nothing.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ALERTMANAGER } from '../peers/alertmanager.ts'
import { describePeers, type Program } from '../peers/peers.ts'
import { PROMETHEUS_PROGRAMS } from '../peers/prometheus.ts'
import { type AlertingWorld, alertingWorld, partOf, WITHIN } from './alerting-world.ts'
import { acknowledge, escalation, PRIMARY, SECONDARY } from './escalation-world.ts'

const PROGRAMS: readonly Program[] = [...PROMETHEUS_PROGRAMS, ALERTMANAGER, 'openssl']
const MINUTE_MS = 60_000
const FIVE_MINUTES_MS = 5 * MINUTE_MS
const PATIENT = { timeout: FIVE_MINUTES_MS + 2 * MINUTE_MS, interval: 500 }

describePeers(PROGRAMS, 'at its real pace', () => {
  const timeout = 10 * MINUTE_MS
  const opened: { close(): Promise<void> }[] = []
  let world: AlertingWorld
  beforeEach(async () => (world = await alertingWorld()))
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
    await world.close()
  })

  it(
    'the second recipient waits five minutes, and a stopped router is told of within three',
    { timeout },
    async () => {
      const table = await escalation({ routers: 3 })
      opened.push(table)
      await Promise.all([escalates(table), isTold(world)])
    },
  )
})

async function escalates(table: Awaited<ReturnType<typeof escalation>>): Promise<void> {
  const { fire, end, routers } = table
  const [calm, restarted, reloaded] = routers as [Router, Router, Router]
  const rows = ['nobody', 'acknowledged', 'over']
  fire(...rows)
  for (const row of rows) await expect.poll(() => calm.told(PRIMARY, row).length, WITHIN).toBe(1)
  expect(calm.told(PRIMARY, 'nobody')[0]!.after_ms).toBeGreaterThanOrEqual(10_000)
  end('over')
  await acknowledge(table, 'acknowledged')
  for (const { told } of [restarted, reloaded])
    await expect.poll(() => told(PRIMARY, 'nobody').length, WITHIN).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 20_000))
  await restarted.restart()
  await reloaded.reload()
  await expect.poll(() => calm.told(SECONDARY, 'nobody').length, PATIENT).toBe(1)
  expect(calm.told(SECONDARY, 'nobody')[0]!.after_ms).toBeGreaterThanOrEqual(FIVE_MINUTES_MS)
  // The wait of these two began anew, until Prometheus next says that it fires: not sooner than without, and never not.
  for (const { told } of [restarted, reloaded]) {
    await expect.poll(() => told(SECONDARY, 'nobody').length, PATIENT).toBe(1)
    expect(told(SECONDARY, 'nobody')[0]!.after_ms).toBeGreaterThanOrEqual(FIVE_MINUTES_MS)
    expect(told(PRIMARY, 'nobody')).toHaveLength(1)
  }
  await expect.poll(() => calm.told(PRIMARY, 'over').at(-1)?.status, PATIENT).toBe('resolved')
  for (const row of ['acknowledged', 'over']) expect(calm.told(SECONDARY, row), row).toEqual([])
}

type Router = Awaited<ReturnType<typeof escalation>>['routers'][number]

/** Nobody asks for a look meanwhile: the daemon notices by itself. */
async function isTold(world: AlertingWorld): Promise<void> {
  const at = await world.open({ PLUMBLINE_MAIL_PROVIDER: 'smtp', PLUMBLINE_NOTIFY_AFTER: '6h' })
  const subjects = () => world.sink.mails.map(({ email }) => email.subject)
  const router = await world.startRouter()
  await expect.poll(() => partOf(at, 'alert_router'), WITHIN).toMatchObject({ ok: true })
  await router.stop()
  const stopped = performance.now()
  await expect.poll(subjects, PATIENT).toEqual(['Plumbline: alert_router failing'])
  expect(performance.now() - stopped).toBeLessThan(3 * MINUTE_MS)
  await world.startRouter()
  await expect.poll(() => subjects().slice(1), PATIENT).toEqual(['Plumbline: over: alert_router failing'])
}
