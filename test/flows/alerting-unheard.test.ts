/** What the alert stack cannot tell of itself goes to whoever waits for alerts, by mail of our own, and so does its end. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { movedClock } from '../kit/moved-clock.ts'
import { ALERTMANAGER } from '../peers/alertmanager.ts'
import { describePeers } from '../peers/peers.ts'
import { type AlertingWorld, alertingWorld, partOf, WITHIN } from './alerting-world.ts'
import { openAlerts } from './notifications-world.ts'
import { itInDepth } from '../kit/in-depth.ts'

const SECOND_MS = 1000
const OWN_MAIL = {
  PLUMBLINE_MAIL_PROVIDER: 'smtp',
  PLUMBLINE_NOTIFY_AFTER: '6h',
  PLUMBLINE_NOTIFY_MAIL: 'ops@example.org',
}

describePeers([ALERTMANAGER, 'openssl'], 'a router that is down', () => {
  let world: AlertingWorld
  beforeEach(async () => (world = await alertingWorld()))
  afterEach(() => world.close())
  const subjects = () => world.sink.mails.map(({ email }) => email.subject)

  itInDepth(
    'is told after two minutes whatever else waits longer, once to each, and told to be back',
    async () => {
      const clock = movedClock({ stands: true })
      const at = await world.open(
        { ...OWN_MAIL, ALERT_EMAIL: 'ops@example.org,second@example.org' },
        { clock },
      )
      const router = await world.startRouter()
      await expect.poll(() => partOf(at, 'alert_router'), WITHIN).toMatchObject({ ok: true })
      await router.stop()
      await expect.poll(() => partOf(at, 'alert_router'), WITHIN).toMatchObject({ ok: false })
      const open = async () => (await openAlerts(at)).map(({ id }) => id)
      clock.step(119 * SECOND_MS)
      await partOf(at, 'alert_router')
      expect(await open()).toEqual([])
      expect(subjects()).toEqual([])
      clock.step(2 * SECOND_MS)
      await partOf(at, 'alert_router')
      expect(await open()).toEqual(['watch/alert_router/0'])
      await expect.poll(subjects, WITHIN).toEqual(['Plumbline: alert_router failing'])
      expect(world.sink.mails[0]!.to).toEqual(['ops@example.org', 'second@example.org'])

      await world.startRouter()
      await expect.poll(() => partOf(at, 'alert_router'), WITHIN).toMatchObject({ ok: true })
      await expect.poll(open, WITHIN).toEqual([])
      clock.step(61 * SECOND_MS)
      await partOf(at, 'alert_router')
      await expect.poll(() => subjects().slice(1), WITHIN).toEqual(['Plumbline: over: alert_router failing'])
    },
  )

  it('is the only thing that those hear who wait for alerts alone', async () => {
    const clock = movedClock()
    const { PLUMBLINE_NOTIFY_MAIL: _nobody, ...env } = OWN_MAIL
    const at = await world.open(
      { ...env, PLUMBLINE_NOTIFY_AFTER: '1s', PLUMBLINE_SSO_URL: 'http://127.0.0.1:1' },
      { clock },
    )
    await expect.poll(() => partOf(at, 'sso_provider'), WITHIN).toMatchObject({ ok: false })
    await expect.poll(() => partOf(at, 'alert_router'), WITHIN).toMatchObject({ ok: false })
    clock.step(200 * SECOND_MS)
    await partOf(at, 'alert_router')
    await expect.poll(subjects, WITHIN).toEqual(['Plumbline: alert_router failing'])
    expect((await openAlerts(at)).map(({ told }) => told)).toContainEqual([])
  })
})
