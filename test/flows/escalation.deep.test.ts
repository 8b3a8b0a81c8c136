/** Who is told of an alert and when, row by row: with a real Prometheus, real routers, and a wait that is shorter than five minutes. */
import { request } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { movedClock } from '../kit/moved-clock.ts'
import { webhookReceiver } from '../fakes/notify/webhook-receiver.ts'
import { ALERTMANAGER } from '../peers/alertmanager.ts'
import { describePeers, type Program } from '../peers/peers.ts'
import { PROMETHEUS_PROGRAMS } from '../peers/prometheus.ts'
import { partOf, WITHIN } from './alerting-world.ts'
import { openAlerts } from './notifications-world.ts'
import { acknowledge, type Escalation, escalation, PRIMARY, SECONDARY } from './escalation-world.ts'

const PROGRAMS: readonly Program[] = [...PROMETHEUS_PROGRAMS, ALERTMANAGER, 'openssl']
const WAIT_S = 30
const WAIT_MS = WAIT_S * 1000
const SECRET = 'a-secret-of-more-than-24-characters'

let table: Escalation | undefined
afterEach(async () => {
  await table?.close()
  table = undefined
})

describePeers(PROGRAMS, 'with a short wait', () => {
  it('the second recipient is told as each row of the table says', { timeout: 600_000 }, async () => {
    table = await escalation({ wait_s: WAIT_S, routers: 3 })
    const { fire, end, routers } = table
    const [calm, restarted, reloaded] = routers as [Router, Router, Router]
    const rows = ['nobody', 'acknowledged', 'taken up for a while', 'over', 'over late']
    fire(...rows)
    for (const row of rows) await expect.poll(() => calm.told(PRIMARY, row).length, WITHIN).toBe(1)
    for (const { told } of [restarted, reloaded])
      await expect.poll(() => told(PRIMARY, 'nobody').length, WITHIN).toBe(1)
    end('over')
    await acknowledge(table, 'acknowledged')
    const silenced_s = WAIT_S + 8
    await silence(calm, 'taken up for a while', silenced_s)
    await reloaded.reload()
    await restarted.restart()

    await expect.poll(() => calm.told(SECONDARY, 'nobody').length, WITHIN).toBe(1)
    expect(calm.told(SECONDARY, 'nobody')[0]!.after_ms).toBeGreaterThanOrEqual(WAIT_MS)
    await expect.poll(() => calm.told(SECONDARY, 'over late').length, WITHIN).toBe(1)
    end('over late')
    // The wait of these two began anew, until Prometheus next says that it fires: not sooner than without, and never not.
    for (const { told } of [restarted, reloaded]) {
      await expect.poll(() => told(SECONDARY, 'nobody').length, WITHIN).toBe(1)
      expect(told(SECONDARY, 'nobody')[0]!.after_ms).toBeGreaterThanOrEqual(WAIT_MS)
    }
    // What the first recipient was told before is not told again.
    for (const { told } of [calm, restarted, reloaded]) expect(told(PRIMARY, 'nobody')).toHaveLength(1)

    await expect.poll(() => calm.told(SECONDARY, 'taken up for a while').length, WITHIN).toBe(1)
    const [told] = calm.told(SECONDARY, 'taken up for a while')
    expect(told!.after_ms).toBeGreaterThan(silenced_s * 1000)
    const ends = () => calm.told(SECONDARY, 'over late').map(({ status }) => status)
    await expect.poll(ends, WITHIN).toEqual(['firing', 'resolved'])
    await expect.poll(() => calm.told(PRIMARY, 'over').map(({ status }) => status), WITHIN).toHaveLength(2)
    for (const row of ['acknowledged', 'over']) expect(calm.told(SECONDARY, row), row).toEqual([])

    const asked = performance.now()
    await fireOld(calm, 'older than the wait')
    await expect.poll(() => calm.told(SECONDARY, 'older than the wait').length, WITHIN).toBe(1)
    expect(performance.now() - asked).toBeLessThan(WAIT_MS)
    await expect.poll(() => calm.told(PRIMARY, 'older than the wait').length, WITHIN).toBe(1)
  })

  it('mails that the mail server refuses are told over a channel of our own, and so is their end', async () => {
    const receiver = await webhookReceiver(SECRET)
    const clock = movedClock()
    try {
      table = await escalation({
        wait_s: WAIT_S,
        clock,
        env: { PLUMBLINE_NOTIFY_WEBHOOK: receiver.url, PLUMBLINE_NOTIFY_WEBHOOK_SECRET: SECRET },
      })
      const { at, world, fire } = table
      await expect.poll(() => partOf(at, 'alert_mail'), WITHIN).toMatchObject({ ok: true })
      world.sink.misbehave({ reply: 550, at: 'to' })
      fire('nobody')
      await expect
        .poll(() => partOf(at, 'alert_mail'), WITHIN)
        .toMatchObject({
          ok: false,
          cause: 'failing',
          message: 'Alert mails are not delivered by Alertmanager.',
        })
      clock.step(121_000)
      const noticed = async () =>
        (await openAlerts(at)).map(({ id, noticed_at }) => [id, noticed_at !== null])
      await expect.poll(noticed, WITHIN).toContainEqual(['watch/alert_mail/0', true])
      // It is gathered with others for a minute.
      clock.step(61_000)
      const titles = () => receiver.taken.map(({ message }) => message.title)
      await expect.poll(titles, WITHIN).toContainEqual(expect.stringContaining('alert_mail'))
      expect(world.sink.mails).toEqual([])
      world.sink.misbehave(null)
      const reached = () => new Set(world.sink.mails.flatMap(({ to }) => to))
      await expect.poll(reached, WITHIN).toEqual(new Set([PRIMARY, SECONDARY]))
      // From here on no mail fails; one that failed a moment ago is counted before the ten minutes begin.
      await partOf(at, 'alert_mail')
      clock.step(601_000)
      await expect.poll(() => partOf(at, 'alert_mail'), WITHIN).toMatchObject({ ok: true })
      await expect.poll(noticed, WITHIN).not.toContainEqual(['watch/alert_mail/0', true])
      clock.step(61_000)
      await partOf(at, 'alert_mail')
      const over = () =>
        receiver.taken.flatMap(({ message }) => message.over.map(({ component }) => component))
      await expect.poll(over, WITHIN).toEqual(['alert_mail'])
    } finally {
      await receiver.close()
    }
  })
})

type Router = Escalation['routers'][number]

async function post({ url }: Router, path: string, body: unknown): Promise<void> {
  const answer = await request(`${url}/api/v2/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.statusCode, await answer.body.text()).toBe(200)
}

/** Shorter than we would acknowledge for. */
const silence = (router: Router, instance: string, lasting_s: number): Promise<void> =>
  post(router, 'silences', {
    matchers: [{ name: 'instance', value: instance, isRegex: false, isEqual: true }],
    startsAt: new Date().toISOString(),
    endsAt: new Date(Date.now() + lasting_s * 1000).toISOString(),
    createdBy: 'the test',
    comment: 'for a while',
  })

const fireOld = (router: Router, instance: string): Promise<void> =>
  post(router, 'alerts', [
    {
      labels: { alertname: 'Escalation', severity: 'critical', instance },
      annotations: { description: 'It has fired for ten minutes.' },
      startsAt: new Date(Date.now() - 600_000).toISOString(),
    },
  ])
