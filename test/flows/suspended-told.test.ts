/** What a person reads while a component is suspended: what differs and is left, what was released, and what failed of it. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'

const APP = 'app.example.com'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-suspended-'))
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  daemon = await serve({ ...env, PLUMBLINE_PUBLIC_IP: '203.0.113.7', PLUMBLINE_DNS_PROVIDER: 'zonefile' })
  expect(await on('add', APP, '10.0.0.5:8080', '--yes')).toMatchObject({ code: 0 })
})
afterEach(async () => {
  await daemon.stop()
  rmSync(directory, { recursive: true, force: true })
})

const on = (...words: string[]) => run(words, env)
const routesFile = () => join(directory, 'traefik', 'routes.yml')
const suspend = async (...component: string[]) => {
  const set = await on('mode', 'set', 'suspend', ...component, '--reason', 'router swap', '--for', '2h')
  expect(set, set.err).toMatchObject({ code: 0 })
}

describe('a hand edit that a suspension leaves', () => {
  const LEFT =
    /routes is not as the plan asks for, and suspend mode leaves it alone until .*: router swap\. How it differs: plumbline drift\./

  it('is told by every plan, with the exit code of something to do', async () => {
    await suspend('routes')
    expect((await on('plan')).out).toContain('Nothing to do')
    appendFileSync(routesFile(), '# by hand\n')
    expect(await on('drift')).toMatchObject({ code: 2 })
    for (const words of [
      ['plan'],
      ['plan', '--component', 'routes'],
      ['reconcile', '--dry-run'],
      ['reconcile', 'routes', '--dry-run'],
      ['deploy', '--all', '--dry-run'],
    ]) {
      const { code, out } = await on(...words)
      const told = `${words.join(' ')}: ${out.replaceAll(/\s+/g, ' ')}`
      expect(told).toMatch(LEFT)
      expect(told).not.toContain('Nothing to do')
      expect([words.join(' '), code]).toEqual([words.join(' '), 2])
    }
    const page = join(directory, 'plan.md')
    await on('plan', '--out', page)
    expect(readFileSync(page, 'utf8')).toContain('## Left alone')
    expect(readFileSync(page, 'utf8')).not.toContain('Nothing to do')
    const { plan } = JSON.parse((await on('plan', '--json')).out) as { plan: object }
    expect(plan).toMatchObject({
      actions: [],
      left: [{ component: 'routes', key: 'routes', mode: 'suspend', reason: 'router swap', differences: 1 }],
    })
    expect(readFileSync(routesFile(), 'utf8')).toContain('# by hand')
  })

  it('is an action where the mode only observes: whoever asks has it repaired', async () => {
    expect(await on('mode', 'set', 'observe')).toMatchObject({ code: 0 })
    appendFileSync(routesFile(), '# by hand\n')
    const planned = await on('plan')
    expect(planned).toMatchObject({ code: 2 })
    expect(planned.out).toMatch(/routes: update \(repair\)/)
    expect(await on('reconcile', '--dry-run')).toMatchObject({ code: 0 })
    expect(await on('reconcile', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(routesFile(), 'utf8')).not.toContain('# by hand')
    expect(await on('plan')).toMatchObject({ code: 0 })
  })
})

