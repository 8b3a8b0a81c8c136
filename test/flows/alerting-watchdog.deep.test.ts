/** The alert that always fires: Prometheus evaluates it, Alertmanager calls the heartbeat with it, and no person hears of it. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../kit/ports.ts'
import { ALERTMANAGER } from '../peers/alertmanager.ts'
import { describePeers } from '../peers/peers.ts'
import { PROMETHEUS_PROGRAMS, startPrometheus } from '../peers/prometheus.ts'
import { alertingWorld, partOf, WITHIN } from './alerting-world.ts'

describePeers([...PROMETHEUS_PROGRAMS, ALERTMANAGER, 'openssl'], 'the alert that always fires', () => {
  it('calls its heartbeat and nobody else', async () => {
    const world = await alertingWorld()
    const folder = dirname(world.paths.rules)
    const prometheus = await startPrometheus('', {
      rules: join(folder, '*.yml'),
      takes_reload: true,
      alertmanagers: [new URL(world.router_url).host],
      resend_delay: '1s',
    })
    try {
      const listen = `127.0.0.1:${await freePort()}`
      const token_file = join(folder, 'token')
      const at = await world.open({
        PLUMBLINE_LISTEN: listen,
        PLUMBLINE_PROMETHEUS_URL: prometheus.origin,
        PLUMBLINE_ALERT_WATCHDOG_FILE: join(folder, 'watchdog.yml'),
        PLUMBLINE_ALERT_WATCHDOG_URL: `http://${listen}/api/heartbeats/watchdog`,
        PLUMBLINE_ALERT_WATCHDOG_TOKEN_FILE: token_file,
      })
      const { body } = await at.call('POST', '/api/heartbeats', { body: { name: 'watchdog' } })
      writeFileSync(token_file, String(body['token']))
      const router = await world.startRouter()
      const states = async () => (await at.call('GET', '/api/heartbeats')).body
      await expect.poll(states, WITHIN).toMatchObject([{ name: 'watchdog', state: 'alive' }])
      await expect.poll(() => partOf(at, 'alert_rules'), WITHIN).toMatchObject({ ok: true })
      await expect.poll(() => partOf(at, 'alerting:watchdog')).toMatchObject({ ok: true })
      expect(await router.ask('alerts')).toMatchObject([{ labels: { alertname: 'PlumblineWatchdog' } }])
      expect((await at.call('GET', '/api/alerts')).body).toEqual([])
      const ack = { name: 'PlumblineWatchdog', for_seconds: 3600 }
      expect(await at.call('POST', '/api/alerts/ack', { body: ack })).toMatchObject({ status: 404 })
      expect(world.sink.mails).toEqual([])
    } finally {
      await world.close()
      await prometheus.stop()
    }
  })
})
