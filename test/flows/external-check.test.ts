/** `plumbline external-check` as a timer runs it: every combination of probes, what it says of oddities, and what it leaves. */
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXTERNAL_PROBES } from '../../src/model/network/external-check.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { freePort } from '../kit/ports.ts'
import { byTier } from '../kit/tier.ts'
import { run } from './command.ts'
import { externalWorld, type ExternalWorld } from './external-world.ts'

const COMBINATIONS = Array.from({ length: 2 ** EXTERNAL_PROBES.length }, (_, bits) =>
  EXTERNAL_PROBES.filter((_name, i) => (bits & (1 << i)) !== 0),
)

describe('what one run finds', () => {
  let world: ExternalWorld
  beforeAll(async () => void (world = await externalWorld()))
  afterAll(() => world[Symbol.asyncDispose]())

  itOneIn(18).each(COMBINATIONS.map((failing) => ({ failing })))(
    'with $failing failing',
    async ({ failing }) => {
      await world.failing(...failing)
      const is_extreme = failing.length % EXTERNAL_PROBES.length === 0
      const ran = await (is_extreme ? world.runProcess() : world.run())
      const passes = (name: (typeof EXTERNAL_PROBES)[number]) => !failing.includes(name)
      const checks = {
        dns: passes('dns') ? 'up' : 'down',
        connectivity: passes('ping') || passes('https') ? 'up' : 'down',
        prometheus: passes('prometheus') ? 'up' : 'down',
        grafana: passes('grafana') ? 'up' : 'down',
      }
      const all = Object.values(checks).every((state) => state === 'up')
      const status = checks.connectivity === 'down' ? 'down' : all ? 'up' : 'degraded'
      const { timestamp, unix_timestamp, ...rest } = world.result()
      expect(rest, ran.err).toEqual({ status, connectivity_score: 20 * (5 - failing.length), checks })
      expect(Math.abs(Date.now() / 1000 - (unix_timestamp as number))).toBeLessThan(60)
      expect(new Date(timestamp as string).toISOString()).toBe(timestamp)
      expect(ran.code, ran.err).toBe(status === 'up' ? 0 : 2)
      expect(ran.out).toContain(` is ${status}, connectivity score `)
    },
  )
})

describe('oddities', () => {
  it('the own line is looked at first: where it is dead nothing is said of the hub, and nothing is written', async () => {
    await using world = await externalWorld()
    await world.failing('ping', 'https')
    world.env['PLUMBLINE_EXTERNAL_CONTROL'] = `127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`
    const ran = await world.run()
    expect(ran).toMatchObject({ code: 3, out: expect.stringContaining('was not judged') as unknown })
    expect(readdirSync(world.folder).filter((name) => name.endsWith('.json'))).toEqual([])
  })

  it.each([['down', ['ping', 'https']] as const, ['degraded', ['grafana']] as const])(
    'a line that drops while the hub is asked is a dead one: a hub that looks %s is not judged',
    async (_status, failing) => {
      await using world = await externalWorld()
      await world.failing(...failing)
      const control = createServer((socket) => {
        socket.end()
        control.close()
      })
      control.listen(0, '127.0.0.1')
      await once(control, 'listening')
      world.env['PLUMBLINE_EXTERNAL_CONTROL'] = `127.0.0.1:${(control.address() as { port: number }).port}`
      const ran = await world.run()
      expect(ran).toMatchObject({ code: 3, out: expect.stringContaining('was not judged') as unknown })
      expect(readdirSync(world.folder).filter((name) => name.endsWith('.json'))).toEqual([])
    },
  )

  itInDepth(
    'a certificate that has ended, or is for another name, is said; the port answers all the same',
    async () => {
      await using world = await externalWorld()
      await world.failing('ping')
      await world.certified({ names: ['other.example.com'] })
      const ran = await world.run()
      expect(ran, ran.err).toMatchObject({
        code: 0,
        err: expect.stringContaining('for another name') as unknown,
      })
      expect(world.result()).toMatchObject({ connectivity_score: 60, checks: { connectivity: 'up' } })
      await world.certified({ names: ['localhost'], days: -1 })
      expect((await world.run()).err).toContain('expired')
      delete world.env['PLUMBLINE_EXTERNAL_CA_FILE']
      await world.certified({ names: ['localhost'] })
      expect((await world.run()).err).toContain('PLUMBLINE_EXTERNAL_CA_FILE')
    },
  )

  itInDepth(
    'a service that answers something else is down, in words: a page, a loop, a broken database, no HTTP',
    async () => {
      await using world = await externalWorld()
      world.answering((_request, response) => response.end('<!doctype html><title>Sign in</title>'))
      const page = await world.run()
      expect(page.out).toContain('something else than JSON')
      expect(world.result()).toMatchObject({
        status: 'degraded',
        checks: { prometheus: 'up', grafana: 'down' },
      })
      world.answering((request, response) => response.writeHead(302, { location: request.url! }).end())
      const loop = await world.run()
      expect(loop, loop.err).toMatchObject({
        code: 2,
        out: expect.stringContaining('which is not followed') as unknown,
      })
      world.answering((_request, response) => response.end(JSON.stringify({ database: 'failing\u001b[2J' })))
      const broken = await world.run()
      expect(broken.out).toContain('its database is "failing')
      expect(broken.out).not.toContain('\u001b')
      world.answering((_request, response) =>
        response.writeHead(200, { 'content-length': 10 ** 9 }).write('x'),
      )
      expect((await world.run()).code).toBe(2)
    },
  )

  itInDepth.each([
    '',
    '{',
    '{"version":1,"hub":"localhost',
    'null',
    '[]',
    '\u0000'.repeat(50),
    '{"version":2}',
  ])('a state file that holds %j is said, and the run goes on', async (text) => {
    await using world = await externalWorld()
    writeFileSync(world.state_path, text)
    const ran = await world.run()
    expect(ran, ran.err).toMatchObject({ code: 0, err: expect.stringContaining('begins anew') as unknown })
    expect(JSON.parse(readFileSync(world.state_path, 'utf8'))).toMatchObject({ version: 1, outages: [] })
    expect((await world.run()).err).toBe('')
  })

  itInDepth(
    'two runs at once are one: the second says whose turn it is, and a killed one leaves no lock',
    async () => {
      await using world = await externalWorld()
      const deaf = createServer(() => undefined).listen(0, '127.0.0.1')
      await once(deaf, 'listening')
      world.env['PLUMBLINE_EXTERNAL_HUB'] = `localhost:${(deaf.address() as { port: number }).port}`
      const first = world.begin()
      await expect
        .poll(() => existsSync(join(`${world.state_path}.lock`, 'holder.json')), { timeout: 60_000 })
        .toBe(true)
      const second = await world.run()
      expect(second).toMatchObject({
        code: 3,
        err: expect.stringContaining('Another run is under way') as unknown,
      })
      await first.stop('SIGKILL')
      await world.failing()
      expect((await world.runProcess()).code).toBe(0)
      deaf.close()
    },
  )

  it('what cannot be written is said, and the run goes on', async () => {
    await using world = await externalWorld()
    // Node makes folders there for ever.
    const endless = '/proc/nope/result.json'
    for (const path of byTier([endless], ['/dev/null/result.json', endless, '/dev/null'])) {
      world.env['PLUMBLINE_EXTERNAL_RESULT'] = path
      const ran = await world.run()
      expect(ran, ran.err).toMatchObject({ code: 1, out: expect.stringContaining('is up') as unknown })
      expect(ran.err).toContain(path)
    }
  })

  it('a folder that a setting names stands as it was', async () => {
    await using world = await externalWorld()
    const folder = join(world.folder, 'bin')
    world.env['PLUMBLINE_EXTERNAL_RESULT'] = folder
    const ran = await world.run()
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('is a folder') as unknown })
    expect(readdirSync(folder)).toEqual(['ping'])
  })

  itInDepth(
    'while the resolver is broken, a service under the name of the hub is asked where the hub was',
    async () => {
      await using world = await externalWorld()
      await world.failing('dns')
      for (const name of ['PLUMBLINE_PROMETHEUS_URL', 'PLUMBLINE_GRAFANA_URL'])
        world.env[name] = world.env[name]!.replace('127.0.0.1', 'hub.invalid')
      const ran = await world.run()
      expect(world.result(), ran.out).toMatchObject({
        status: 'degraded',
        connectivity_score: 80,
        checks: { dns: 'down', connectivity: 'up', prometheus: 'up', grafana: 'up' },
      })
      expect(ran.out).toContain('127.0.0.1, which is asked in its place')
    },
  )

  it('the result may be read by others, the state is its own', async () => {
    await using world = await externalWorld()
    const ran = await world.run('--json')
    expect(JSON.parse(ran.out)).toMatchObject({ result: world.result(), mailed: null, warnings: [] })
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect([mode(world.env['PLUMBLINE_EXTERNAL_RESULT']!), mode(world.state_path)]).toEqual(['644', '600'])
  })

  itOneIn(6).each([
    [{ PLUMBLINE_EXTERNAL_HUB: '' }, 'PLUMBLINE_EXTERNAL_HUB'],
    [{ PLUMBLINE_EXTERNAL_HUB: '192.0.2.1' }, 'must be a name'],
    [{ PLUMBLINE_EXTERNAL_HUB: '-rf /' }, 'must be a name'],
    [{ PLUMBLINE_EXTERNAL_HUB: 'hub.example.com:99999' }, 'must be a name'],
    [{ PLUMBLINE_EXTERNAL_CONTROL: 'example.com:443' }, 'address with a port'],
    [{ PLUMBLINE_PROMETHEUS_URL: 'prometheus' }, 'PLUMBLINE_PROMETHEUS_URL'],
    [{ PLUMBLINE_GRAFANA_URL: 'https://me:secret@grafana' }, 'must not hold a user name'],
    [{ PLUMBLINE_EXTERNAL_PAUSE: '1h' }, 'from 1ms to 5s'],
    [{ PLUMBLINE_EXTERNAL_HEARTBEAT_URL: 'http://127.0.0.1:1/x' }, 'PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN'],
    [{ ALERT_EMAIL: 'ops@example.com' }, 'set PLUMBLINE_MAIL_PROVIDER'],
    [{ ALERT_EMAIL: 'nobody' }, 'is not a mail address'],
  ])('%j is a fault of the settings', async (env, words) => {
    await using world = await externalWorld()
    Object.assign(world.env, env)
    const ran = await run(['external-check'], world.env)
    expect(ran).toMatchObject({ code: 78, err: expect.stringContaining(words) as unknown })
    expect(ran.err).not.toContain('secret')
  })

  itInDepth('the units are printed for the settings in effect, and no secret stands in them', async () => {
    await using world = await externalWorld()
    const token = join(world.folder, 'token')
    writeFileSync(token, 'a-token-that-nobody-sees-here\n')
    Object.assign(world.env, {
      PLUMBLINE_EXTERNAL_HEARTBEAT_URL: 'https://ctl.example.org/api/heartbeats/external',
      PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN_FILE: token,
    })
    const ran = await world.run('--print-units')
    expect(ran, ran.err).toMatchObject({ code: 0 })
    for (const line of [
      'Type=oneshot',
      'SuccessExitStatus=2 3',
      'OnUnitActiveSec=5min',
      `LoadCredential=PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN:${token}`,
    ])
      expect(ran.out.split('\n')).toContain(line)
    expect(ran.out).not.toContain('nobody-sees')
    world.env['PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN'] = 'in-the-open-where-all-may-read'
    delete world.env['PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN_FILE']
    const open = await world.run('--print-units')
    expect(open.code).toBe(78)
    expect(open.err).toContain('PLUMBLINE_EXTERNAL_HEARTBEAT_TOKEN_FILE')
  })
})
