/** What a person reads while a component is suspended: what differs and is left, what was released, and what failed of it. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Failure } from '../../src/kernel/failure.ts'
import { describeInDepth, itInDepth } from '../kit/in-depth.ts'
import { run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { create, openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const APP = 'app.example.com'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon
beforeEach(async () => {
  directory = newFolder('suspended')
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  daemon = await serve({ ...env, PLUMBLINE_PUBLIC_IP: '203.0.113.7', PLUMBLINE_DNS_PROVIDER: 'zonefile' })
  expect(await on('add', APP, '10.0.0.5:8080', '--yes')).toMatchObject({ code: 0 })
})
afterEach(() => daemon.stop())

const on = (...words: string[]) => run(words, env)
const routesFile = () => join(directory, 'traefik', 'routes.yml')
const suspend = async (...component: string[]) => {
  const set = await on('mode', 'set', 'suspend', ...component, '--reason', 'router swap', '--for', '2h')
  expect(set, set.err).toMatchObject({ code: 0 })
}
const releases = async () => (JSON.parse((await on('releases', '--json')).out) as object[]).length
const record = async (name: string) => JSON.parse((await on('show', name, '--json')).out) as object

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

  itInDepth('is ended by the command that brings back what the suspension was set over', async () => {
    expect(await on('mode', 'set', 'observe', 'routes')).toMatchObject({ code: 0 })
    await suspend('routes')
    appendFileSync(routesFile(), '# by hand\n')
    expect((await on('drift')).out).toMatch(/^ +plumbline mode resume routes$/m)
    expect(await on('mode', 'resume', 'routes')).toMatchObject({ code: 0 })
    expect((await on('drift')).out).toMatch(/^ +plumbline mode set repair routes$/m)
    expect(await on('mode', 'set', 'repair', 'routes')).toMatchObject({ code: 0 })
    await expect.poll(() => readFileSync(routesFile(), 'utf8')).not.toContain('# by hand')
  })

  itInDepth('is an action where the mode only observes: whoever asks has it repaired', async () => {
    expect(await on('mode', 'set', 'observe')).toMatchObject({ code: 0 })
    appendFileSync(routesFile(), '# by hand\n')
    // Each in place of the others, of which one is enough.
    expect((await on('drift')).out).toMatch(
      /^ {2}One of these:\n(?: {4}plumbline (?:reconcile|drift ignore|mode set) .*\n){2,}/m,
    )
    const planned = await on('plan')
    expect(planned).toMatchObject({ code: 2 })
    expect(planned.out).toMatch(/routes: update \(repair\)/)
    expect(await on('reconcile', '--dry-run')).toMatchObject({ code: 2 })
    expect(await on('reconcile', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(routesFile(), 'utf8')).not.toContain('# by hand')
    expect(await on('plan')).toMatchObject({ code: 0 })
  })
})

itInDepth('what is suspended is never clean, whoever is asked', async () => {
  const looks = [
    ['status'],
    ['drift'],
    ['explain', APP],
    ['wait', '--for', '1s'],
    ['wait', APP, '--for', '1s'],
    ['domains', '--drift'],
  ]
  const ends = async (...more: string[]) => {
    const codes: Record<string, number | null> = {}
    for (const words of looks) codes[words.join(' ')] = (await on(...words, ...more)).code
    return codes
  }
  const all = (code: number) => Object.fromEntries(looks.map((words) => [words.join(' '), code]))
  await expect.poll(() => ends()).toEqual(all(0))
  await suspend('routes')
  expect(await ends()).toEqual(all(3))
  const drift = await on('drift')
  expect(drift.out).toMatch(
    /^unknown: Nothing differs now, and nobody keeps it so: routes \(until .*\) is suspended\./,
  )
  expect(drift.out.replaceAll(/\s+/g, ' ')).toContain('"plumbline mode set repair routes" ends it now')
  expect((await on('explain', APP)).out).toContain('nobody keeps it so: routes is suspended.')
  // What is known, why the rest is not, and what to do.
  expect(await on('domains', '--drift')).toMatchObject({ out: '', err: `${drift.out.split('\n')[0]}\n` })
  const listed = await on('domains')
  expect(listed.out).toContain('unknown: routes: suspended')
  expect(listed.err).toContain('"plumbline domains --drift" looks now.')
  appendFileSync(routesFile(), '# by hand\n')
  const differing = await on('domains', '--drift')
  expect(differing).toMatchObject({ code: 2, out: expect.stringMatching(/routes: edited$/m) as string })
  expect(differing.err).toMatch(/^unknown: Nothing else differs now/)
  await expect.poll(async () => (await on('reconcile', 'routes', '--dry-run')).code).toBe(2)
  writeFileSync(routesFile(), readFileSync(routesFile(), 'utf8').replace('# by hand\n', ''))
  expect(await ends('--url', 'http://127.0.0.1:9')).toEqual(all(3))
  expect((await on('plan', '--url', 'http://127.0.0.1:9')).code).toBe(3)
  expect((await on('deploy', '--all', '--dry-run', '--url', 'http://127.0.0.1:9')).code).toBe(3)
  expect((await on('domains', '--url', 'http://127.0.0.1:9')).code).toBe(1)
  expect(await on('mode', 'set', 'repair', 'routes')).toMatchObject({ code: 0 })
  expect(await on('set', APP, 'backend_port=81')).toMatchObject({ code: 0 })
  await expect.poll(() => ends()).toEqual({ ...all(2), status: expect.any(Number) as number })
})

describeInDepth('what is asked for during a suspension', () => {
  it('says that no release was made where none was', async () => {
    await suspend('dns')
    const before = await releases()
    const set = await on('set', APP, 'note=x', '--deploy', '--yes')
    expect(set).toMatchObject({ code: 1 })
    const words = set.err.replaceAll(/\s+/g, ' ')
    expect(words).toContain('dns is suspended: router swap. No release was made by this call')
    expect(words).toContain('when the suspension ends')
    expect(words).not.toContain('tried again')
    expect(await releases()).toBe(before)
    const asked = await on('reconcile', '--yes')
    const why = asked.err.replaceAll(/\s+/g, ' ')
    expect(asked).toMatchObject({ code: 1 })
    expect(why).not.toContain('No release was made')
    expect(why).toContain('"plumbline mode set repair dns" ends the suspension now')
    const dry = await on('reconcile', '--dry-run')
    expect(dry.out + dry.err).not.toContain('A deploy')
    expect(dry.err).toContain('"plumbline mode set repair dns" ends the suspension now')
    const trail = await on('audit', '--limit', '2')
    expect(trail.out).toMatch(
      /reconcile_failed[^]*reason: dns is suspended: router swap\..*\n[^]* reconcile /,
    )
    const [failed] = JSON.parse((await on('audit', APP, '--limit', '1', '--json')).out) as object[]
    expect(failed).toMatchObject({
      action: 'deploy_failed',
      domain: APP,
      detail: { code: 'suspended', reason: expect.stringContaining('router swap') as string },
    })
    await suspend('routes')
    expect(await on('rm', APP, '--yes')).toMatchObject({ code: 1 })
    const [gone] = JSON.parse((await on('audit', APP, '--limit', '1', '--json')).out) as object[]
    expect(gone).toMatchObject({ action: 'delete_failed', domain: APP, detail: { code: 'suspended' } })
  })

  it('leaves an entry that says why it was not carried out, whatever was asked for', async () => {
    const estate = join(directory, 'estate.yaml')
    await on('set', APP, 'static_ip=198.51.100.7', '--deploy', '--yes')
    expect(await on('export', '--out', estate)).toMatchObject({ code: 0 })
    await suspend('dns')
    const asked: readonly (readonly [string, readonly string[]])[] = [
      ['deploy_all_failed', ['deploy', '--all', '--yes']],
      ['import_failed', ['import', estate]],
      ['restore_failed', ['releases', 'restore', '2', '--yes']],
    ]
    for (const [action, words] of asked) {
      await on('set', APP, `static_ip=198.51.100.${action.length}`)
      const answer = await on(...words)
      expect(answer, words.join(' ')).toMatchObject({ code: 1 })
      expect(answer.err).toContain(
        'dns is suspended: router swap. It is brought there when the suspension ends.',
      )
      const [newest] = JSON.parse((await on('audit', '--limit', '1', '--json')).out) as object[]
      expect(newest).toMatchObject({
        action,
        detail: { code: 'suspended', reason: expect.stringContaining('router swap') as string },
      })
    }
  })

  it('says that the release it made stands, and when it goes out', async () => {
    await suspend('dns')
    const before = await releases()
    const set = await on('set', APP, 'static_ip=198.51.100.9', '--deploy', '--yes')
    expect(set).toMatchObject({ code: 1 })
    expect(set.err.replaceAll(/\s+/g, ' ')).toContain(
      'dns is suspended: router swap. The release stands, and goes out there when the suspension ends.',
    )
    expect(await releases()).toBe(before + 1)
    expect(await on('mode', 'set', 'repair', 'dns')).toMatchObject({ code: 0 })
    await expect
      .poll(async () => (await record(APP)) as unknown)
      .toMatchObject({
        status: 'active',
        external_ip: '198.51.100.9',
      })
  })

  it('a domain that is added is no error: nothing has refused it', async () => {
    await suspend('dns')
    const added = await on('add', 'new.example.com', '10.0.0.6:8080', '--yes')
    expect(added).toMatchObject({ code: 1 })
    expect(added.err).toContain('dns is suspended')
    expect(await record('new.example.com')).toMatchObject({ status: 'active', status_reason: null })
    expect(await on('mode', 'set', 'repair', 'dns')).toMatchObject({ code: 0 })
    await expect
      .poll(async () => (await record('new.example.com')) as unknown)
      .toMatchObject({
        status: 'active',
        external_ip: '203.0.113.7',
      })
  })
})

describeInDepth('an activation during a suspension is judged when that ends', () => {
  const body = (mode: string) => ({
    body: { mode, reason: 'router swap', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  })
  const read = async ({ call }: TestHouse, id: number) => (await call('GET', `/api/domains/${id}`)).body
  const lift = ({ call }: TestHouse) => call('PUT', '/api/modes/routes', { body: { mode: 'repair' } })

  it.each([
    ['by the same process', false],
    ['by the next one', true],
  ])('%s: an error where a component refuses it then, until it takes it', async (_by, restarts) => {
    let refuses = true
    await using first = await openTestHouse({
      wrap: {
        file: (file) => ({
          ...file,
          replace: async (...given) => {
            if (refuses) throw new Failure('storage_full', 'no space for it')
            return file.replace(...given)
          },
        }),
      },
    })
    const id = await create(first.call)
    await first.call('PUT', '/api/modes/routes', body('suspend'))
    const activated = await first.call('POST', `/api/domains/${id}/activate`)
    expect(activated).toMatchObject({ status: 503, body: { code: 'suspended' } })
    const at = restarts ? await first.reopen() : first
    try {
      await at.call('POST', '/api/reconcile')
      expect(await read(at, id)).toMatchObject({ status: 'active', status_reason: null })
      await lift(at)
      await expect
        .poll(() => read(at, id))
        .toMatchObject({
          status: 'error',
          status_reason: expect.stringContaining('no space for it') as unknown,
        })
      refuses = false
      await at.call('POST', '/api/reconcile')
      await expect.poll(() => read(at, id)).toMatchObject({ status: 'active', status_reason: null })
    } finally {
      if (restarts) await at.house.close()
    }
  })
})

itInDepth(
  'a mode is set, and what is suspended is resumed, on a dry run first, which says what is repaired then',
  async () => {
    await suspend('routes')
    appendFileSync(routesFile(), '# by hand\n')
    const dry = await on('mode', 'resume', 'routes', '--dry-run')
    expect(dry, dry.err).toMatchObject({ code: 2 })
    expect(dry.err.replaceAll(/\s+/g, ' ')).toContain('This ends the mode suspend (router swap) of routes.')
    expect(dry.out).toMatch(/routes: update \(repair\)/)
    const [, hash = ''] = /--confirm (\w+)/.exec(dry.err) ?? []
    expect((await on('mode', 'set', 'repair', 'routes', '--dry-run')).out).toMatch(
      /routes: update \(repair\)/,
    )
    expect((await on('mode')).out).toMatch(/routes +suspend/)
    expect(await on('mode', 'resume', 'routes', '--confirm', hash)).toMatchObject({ code: 0 })
    await expect.poll(() => readFileSync(routesFile(), 'utf8')).not.toContain('# by hand')
    expect((await on('mode', 'set', 'observe', 'routes', '--dry-run')).code).toBe(2)
    expect(await on('mode', 'set', 'observe', 'routes', '--reason', 'we watch')).toMatchObject({ code: 0 })
    expect(await on('mode', 'set', 'repair', 'routes', '--for', '2h')).toMatchObject({ code: 0 })
    expect((await on('mode')).out).toMatch(/routes +repair +routes +by .*, until .*, then observe/)
    await suspend('routes')
    const asked = await on('reconcile', 'routes', '--yes')
    expect(asked.err.replaceAll(/\s+/g, ' ')).toContain('ends the suspension now')
  },
)
