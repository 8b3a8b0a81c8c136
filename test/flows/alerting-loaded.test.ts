/** What stands in the files of alerting is what real servers run: asked for, and seen. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { fetch } from 'undici'
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
    /** As somebody does it who does not know whose the file is. */
    const edited = (path: string, edit: (text: string) => string): string => {
      const ours = readFileSync(path, 'utf8')
      writeFileSync(path, edit(ours))
      return ours
    }
    const reload = async (origin: string) =>
      expect((await fetch(`${origin}/-/reload`, { method: 'POST' })).status).toBe(200)
    interface Rule {
      readonly name: string
      readonly health: string
    }
    const rulesIn = async (prometheus: Prometheus): Promise<readonly Rule[]> => {
      const { groups } = (await prometheus.ask('rules')) as {
        readonly groups: readonly { readonly rules: readonly Rule[] }[]
      }
      return groups.flatMap(({ rules }) => rules)
    }

    it('the rules are loaded after a reload that was asked for, and each is well', async () => {
      const prometheus = await prometheusOver(true)
      const at = await world.open({ PLUMBLINE_PROMETHEUS_URL: prometheus.origin })
      await expect.poll(() => partOf(at, 'alert_rules'), WITHIN).toMatchObject({ ok: true })
      await expect
        .poll(async () => (await rulesIn(prometheus)).map(({ health }) => health), WITHIN)
        .toEqual(Array.from({ length: 24 }, () => 'ok'))
      await expect.poll(() => partOf(at, 'metrics_server')).toMatchObject({ ok: true })
    })

    const namesIn = async (prometheus: Prometheus) => (await rulesIn(prometheus)).map(({ name }) => name)
    const readAt = async ({ origin }: Prometheus) =>
      Number(
        /^prometheus_config_last_reload_success_timestamp_seconds (.+)$/m.exec(
          await (await fetch(`${origin}/metrics`)).text(),
        )![1],
      )
    const FIRST = 'MetricsServerUnreachable'
    /** Without the first rule of the file; what bears the mark stays as it is. */
    const withoutFirst = (text: string) => text.replace(/\n {6}- alert:[^]*?(?=\n {6}- alert:)/, '')

    it.each([
      ['was undone by the next start', () => Promise.resolve()],
      // As a daemon leaves it that is killed before it could ask for a reload. The time of a file lags by a tick of the kernel.
      [
        'was undone, and nobody reloaded',
        (ours: string, read_at: number) =>
          expect
            .poll(() => {
              writeFileSync(world.paths.rules, ours)
              return statSync(world.paths.rules).ctimeMs / 1000
            }, WITHIN)
            .toBeGreaterThan(read_at),
      ],
    ])('rules that run without one of ours are loaded again, where the edit %s', async (_how, undo) => {
      const prometheus = await prometheusOver(true)
      const env = { PLUMBLINE_PROMETHEUS_URL: prometheus.origin }
      const before = await world.open(env)
      await expect.poll(() => partOf(before, 'alert_rules'), WITHIN).toMatchObject({ ok: true })
      const names = await namesIn(prometheus)
      await before.house.close()
      const ours = edited(world.paths.rules, withoutFirst)
      await reload(prometheus.origin)
      expect(await namesIn(prometheus)).toEqual(names.filter((name) => name !== FIRST))
      await undo(ours, await readAt(prometheus))
      const at = await world.open(env, { directory: before.directory })
      await expect.poll(() => namesIn(prometheus), WITHIN).toEqual(names)
      await expect.poll(() => partOf(at, 'alert_rules'), WITHIN).toMatchObject({ ok: true })
      const read_at = await readAt(prometheus)
      await at.house.close()
      const next = await world.open(env, { directory: before.directory })
      await expect.poll(() => partOf(next, 'alert_rules'), WITHIN).toMatchObject({ ok: true })
      expect(await readAt(prometheus), 'nothing is owed any more').toBe(read_at)
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

    itInDepth('rules of an edit that was undone are named until somebody has them read by hand', async () => {
      const prometheus = await prometheusOver(false)
      const at = await world.open({ PLUMBLINE_PROMETHEUS_URL: prometheus.origin })
      const readByHand = () => process.kill(prometheus.pid, 'SIGHUP')
      const isShown = (part: object) =>
        expect.poll(() => partOf(at, 'alert_rules'), WITHIN).toMatchObject(part)
      await isShown({ cause: 'not_loaded' })
      readByHand()
      await isShown({ ok: true })
      const names = await namesIn(prometheus)
      const mode = (to: string) =>
        at.call('PUT', '/api/modes/alerting', { body: { mode: to, reason: 'edits' } })
      await mode('observe')
      edited(world.paths.rules, withoutFirst)
      readByHand()
      await expect.poll(() => namesIn(prometheus), WITHIN).not.toEqual(names)
      await mode('repair')
      await isShown({ cause: 'not_loaded' })
      readByHand()
      await isShown({ ok: true })
      expect(await namesIn(prometheus)).toEqual(names)
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

    itInDepth(
      'a router that runs an edit is reloaded once it is undone: recipients, and the template',
      async () => {
        const at = await world.open()
        const router = await world.startRouter()
        await expect.poll(() => partOf(at, 'alert_routes'), WITHIN).toMatchObject({ ok: true })
        const reloads = () => router.log().match(/Completed loading of configuration file/g)!.length
        const mode = (to: string) =>
          at.call('PUT', '/api/modes/alerting', { body: { mode: to, reason: 'edits' } })
        for (const [path, from] of [
          [world.paths.router, 'ops@example.org'],
          [world.paths.template, '[{{ .Status'],
        ] as const) {
          await mode('observe')
          const ours = edited(path, (text) => text.replace(from, 'nobody'))
          await reload(router.origin)
          const begun = reloads()
          await mode('repair')
          await expect.poll(reloads, WITHIN).toBe(begun + 1)
          expect(readFileSync(path, 'utf8')).toBe(ours)
          await expect.poll(() => partOf(at, 'alert_routes'), WITHIN).toMatchObject({ ok: true })
          expect(reloads(), 'and not again').toBe(begun + 1)
        }
        const status = (await router.ask('status')) as { readonly config: { readonly original: string } }
        expect(status.config.original).toContain('ops@example.org')
      },
    )

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
