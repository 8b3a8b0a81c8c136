/** What stands in the files of alerting is what real servers run: asked for, and seen. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { PROMETHEUS_PROGRAMS, type Prometheus, startPrometheus } from '../peers/prometheus.ts'
import { ALERTMANAGER } from '../peers/alertmanager.ts'
import { type AlertingWorld, alertingWorld, partOf, WITHIN } from './alerting-world.ts'
import { create } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

describePeers(
  [...PROMETHEUS_PROGRAMS, ALERTMANAGER, 'openssl'],
  'the files of alerting at their servers',
  () => {
    let world: AlertingWorld
    const started: Prometheus[] = []
    beforeEach(async () => (world = await alertingWorld()))
    afterEach(async () => {
      await world.close()
      for (const one of started.splice(0)) await one.stop()
    })
    const prometheusOver = async (takes_reload: boolean) => {
      const one = await startPrometheus('', { rules: world.paths.rules, takes_reload })
      started.push(one)
      return one
    }
    type Rules = { readonly groups: readonly { readonly rules: readonly { readonly health: string }[] }[] }

    it('the rules are loaded after a reload that was asked for, and each is well', async () => {
      const prometheus = await prometheusOver(true)
      const at = await world.open({ PLUMBLINE_PROMETHEUS_URL: prometheus.origin })
      await expect.poll(() => partOf(at, 'alert_rules'), WITHIN).toMatchObject({ ok: true })
      await expect
        .poll(async () => {
          const { groups } = (await prometheus.ask('rules')) as Rules
          return groups.flatMap(({ rules }) => rules.map(({ health }) => health))
        }, WITHIN)
        .toEqual(Array.from({ length: 24 }, () => 'ok'))
      await expect.poll(() => partOf(at, 'metrics_server')).toMatchObject({ ok: true })
    })

    itInDepth('a Prometheus that takes no reload is named with the flag that it needs', async () => {
      const prometheus = await prometheusOver(false)
      const at = await world.open({ PLUMBLINE_PROMETHEUS_URL: prometheus.origin })
      await expect
        .poll(() => partOf(at, 'alert_rules'), WITHIN)
        .toMatchObject({
          ok: false,
          cause: 'not_loaded',
          message: expect.stringContaining('--web.enable-lifecycle') as string,
        })
    })

    itInDepth('a command reloads it as well, and what it says is passed on where it fails', async () => {
      const prometheus = await prometheusOver(false)
      const env = { PLUMBLINE_PROMETHEUS_URL: prometheus.origin }
      const failing = await world.open({ ...env, PLUMBLINE_PROMETHEUS_RELOAD: 'command:ls /nothing-there' })
      await expect
        .poll(() => partOf(failing, 'alert_rules'), WITHIN)
        .toMatchObject({
          message: expect.stringMatching(
            /not reloaded by PLUMBLINE_PROMETHEUS_RELOAD.*nothing-there/,
          ) as string,
        })
      await failing.house.close()
      const kill = `command:kill -HUP ${prometheus.pid}`
      const at = await world.open(
        { ...env, PLUMBLINE_PROMETHEUS_RELOAD: kill },
        { directory: failing.directory },
      )
      await expect.poll(() => partOf(at, 'alert_rules'), WITHIN).toMatchObject({ ok: true })
    })

    itInDepth('the router runs new recipients after one reload, and ten releases are none', async () => {
      const first = await world.open()
      const router = await world.startRouter()
      await expect.poll(() => partOf(first, 'alert_routes'), WITHIN).toMatchObject({ ok: true })
      const reloads = () => router.log().match(/Completed loading of configuration file/g)?.length
      expect(reloads()).toBe(1)
      await first.house.close()
      const env = { ALERT_EMAIL_SECONDARY: 'night@example.org' }
      const at = await world.open(env, { directory: first.directory })
      await expect.poll(() => partOf(at, 'alert_routes'), WITHIN).toMatchObject({ ok: true })
      const status = (await router.ask('status')) as { readonly config: { readonly original: string } }
      expect(status.config.original).toContain('night@example.org')
      for (let n = 0; n < 10; n++) {
        const id = await create(at.call, { domain: `app${n}.example.com` })
        expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
      }
      await expect.poll(() => partOf(at, 'alert_routes')).toMatchObject({ ok: true })
      expect(reloads()).toBe(2)
    })

    itInDepth('a router that is down, or is something else, is named', async () => {
      const at = await world.open()
      await expect
        .poll(() => partOf(at, 'alert_router'), WITHIN)
        .toMatchObject({ ok: false, cause: 'unreachable' })
      const router = await world.startRouter()
      await expect.poll(() => partOf(at, 'alert_router'), WITHIN).toMatchObject({ ok: true })
      writeFileSync(world.paths.template, 'mine')
      await expect.poll(() => partOf(at, 'alerting:template'), WITHIN).toMatchObject({ ok: true })
      await router.stop()
      await expect.poll(() => partOf(at, 'alert_router'), WITHIN).toMatchObject({ ok: false })
    })
  },
)
