/** A gateway over SFTP under a whole house: far away, not there for a while, set up late, and on the command line. */
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { withoutStamp } from '../../src/features/ssh-clients/model/block.ts'
import { makeSshKey } from '../peers/ssh-key.ts'
import { describePeers } from '../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { run } from './command.ts'
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts'
import { passingClock } from './passing-clock.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { inDepth } from '../kit/tier.ts'
import { itInDepth } from '../kit/in-depth.ts'
import type { ClientsAnswer } from '../../src/features/ssh-clients/views.ts'
import type { DriftAnswer } from '../../src/features/explain/read-drift.ts'
import { newFolder } from '../kit/new-folder.ts'

const ALL = '/api/ssh-clients'

describePeers(SSHD_PROGRAMS, 'an SSH gateway over SFTP', () => {
  let gateway: Sshd
  let way: CuttingProxy
  let folder: string
  let env: Record<string, string>

  beforeAll(async () => {
    gateway = await startSshd()
    folder = newFolder('gate')
    for (const name of ['alice', 'bob']) await makeSshKey(join(folder, name), `${name}@laptop`)
  })
  afterAll(() => gateway.stop())
  beforeEach(async () => {
    rmSync(gateway.authorized_keys, { force: true })
    way = await cuttingProxy(gateway.port)
    env = {
      PLUMBLINE_AUTHORIZED_KEYS: `sftp://${gateway.user}@127.0.0.1:${way.port}${gateway.authorized_keys}`,
      PLUMBLINE_AUTHORIZED_KEYS_IDENTITY: gateway.identity_file,
      PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY: gateway.host_key,
    }
  })
  afterEach(() => way.close())

  const keyOf = (name: string) => readFileSync(join(folder, `${name}.pub`), 'utf8')
  const logIn = (name: string) => gateway.logIn(join(folder, name), ['echo', name])
  const drift = async ({ call }: TestHouse) => {
    const { components } = (await call('GET', '/api/drift')).body as unknown as DriftAnswer
    return components.find(({ component }) => component === 'ssh-gateway')?.drift
  }

  it('a change is three logins: a look, the write, and a look after it, which also tells of foreign lines', async () => {
    await using at = await openTestHouse({ env })
    const logins = () => gateway.log().split('Accepted publickey').length
    const counts: number[] = []
    const change = async (method: 'POST' | 'DELETE', body: object) => {
      const before = logins()
      const answer = await at.call(method, ALL, { body })
      counts.push(logins() - before)
      return answer
    }
    expect((await change('POST', { public_key: keyOf('alice') })).body).toMatchObject({ warnings: [] })
    appendFileSync(gateway.authorized_keys, keyOf('bob'))
    const warnings = [expect.stringMatching('a line of the file that is not ours')]
    expect((await change('POST', { public_key: keyOf('bob') })).body).toMatchObject({ warnings })
    expect((await change('DELETE', { key: keyOf('bob') })).body).toMatchObject({ warnings })
    expect(await logIn('bob')).toBe('bob\n')
    // A look of the daemon's own may fall into one of them.
    expect(Math.min(...counts), counts.join()).toBe(3)
  })

  itInDepth('keys are let in and shut out, and what somebody did to our lines is undone', async () => {
    await using at = await openTestHouse({ env })
    expect((await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })).status).toBe(200)
    expect(await logIn('alice')).toBe('alice\n')
    const ours = readFileSync(gateway.authorized_keys, 'utf8')
    expect(await drift(at)).toBe(false)
    writeFileSync(gateway.authorized_keys, ours.replace(/^restrict.*$/m, keyOf('bob').trim()))
    expect(await drift(at)).toBe(true)
    expect((await at.call('POST', '/api/reconcile')).status).toBe(202)
    const now = () => withoutStamp(readFileSync(gateway.authorized_keys, 'utf8'))
    await expect.poll(now, { timeout: 60_000 }).toBe(withoutStamp(ours))
    const { status } = await at.call('DELETE', ALL, { body: { key: keyOf('alice') } })
    // 202 where a busy machine has not told the gateway in time.
    expect([200, 202]).toContain(status)
    if (status === 200) expect(await logIn('alice')).toBeNull()
    else await expect.poll(() => logIn('alice'), { timeout: 60_000 }).toBeNull()
  })

  itInDepth(
    'while it is not reached nothing is known of it; what was saved is there when it is back',
    async () => {
      await using at = await openTestHouse({ env })
      const { port } = way
      await way.close()
      const saved = await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })
      expect(saved).toMatchObject({ status: 503, body: { code: 'component_unavailable', saved: true } })
      expect(saved.body['detail']).toMatch(/^Saved, but not on the gateway yet: .*ECONNREFUSED/)
      const { body } = await at.call('GET', ALL)
      expect(body).toMatchObject({ configured: true, reachable: false, clients: [{ state: 'unknown' }] })
      expect(await drift(at)).toBeNull()
      expect(existsSync(gateway.authorized_keys)).toBe(false)
      // The domains' life goes on.
      await createActive(at.call)
      expect((await at.call('POST', '/api/plans', { body: {} })).body).toMatchObject({
        plan: { complete: true },
      })
      expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
      way = await cuttingProxy(gateway.port, port)
      await expect.poll(() => existsSync(gateway.authorized_keys), { timeout: 60_000 }).toBe(true)
      expect(await logIn('alice')).toBe('alice\n')
    },
  )

  interface Told {
    readonly drift: boolean | null
    readonly differences: readonly { readonly cause: string; readonly detail: string }[]
  }
  const endpoint = async ({ call }: TestHouse) => (await call('GET', ALL)).body as unknown as Told
  /** The page as it is, without a look for it. */
  const page = async ({ call }: TestHouse) => {
    const { body } = await call('GET', '/api/control-plane/health')
    const parts = body['components'] as unknown as readonly (Told & {
      readonly name: string
      readonly cause: string | null
      readonly observed_at: string
    })[]
    return parts.find(({ name }) => name === 'ssh-gateway')!
  }
  const modeOf = (path: string) => statSync(path).mode & 0o777
  const logins = () => gateway.log().match(/Accepted publickey for/g)?.length ?? 0

  inDepth(() => {
    it('a file that others may write, or that its owner cannot read, is told and given its mode back', async () => {
      await using at = await openTestHouse({ env })
      await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })
      const { ino } = statSync(gateway.authorized_keys)
      const bytes = readFileSync(gateway.authorized_keys)
      const modes = [
        [0o666, 0o644],
        [0o620, 0o600],
        [0o000, 0o600],
      ] as const
      for (const [mode, mended] of modes) {
        await at.call('PUT', '/api/modes/*', { body: { mode: 'observe' } })
        chmodSync(gateway.authorized_keys, mode)
        expect(await endpoint(at)).toMatchObject({ drift: true, differences: [{ cause: 'access' }] })
        // A look that began before may end after it on a busy machine.
        await expect.poll(() => page(at)).toMatchObject({ drift: true, cause: 'access' })
        await expect.poll(() => drift(at)).toBe(true)
        expect(modeOf(gateway.authorized_keys)).toBe(mode)
        await at.call('PUT', '/api/modes/*', { body: { mode: 'repair' } })
        await at.call('POST', '/api/reconcile')
        await expect.poll(() => modeOf(gateway.authorized_keys), { timeout: 60_000 }).toBe(mended)
        expect(statSync(gateway.authorized_keys).ino, 'the same file').toBe(ino)
        expect(readFileSync(gateway.authorized_keys)).toEqual(bytes)
        await expect.poll(() => drift(at), { timeout: 60_000 }).toBe(false)
      }
    })
  })

  inDepth(() => {
    it('a folder that its group may write to is told with its remedy, and not touched', async () => {
      await using at = await openTestHouse({ env })
      await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })
      const gate = dirname(gateway.authorized_keys)
      chmodSync(gate, 0o770)
      try {
        const told = await endpoint(at)
        expect(told).toMatchObject({ drift: true, differences: [{ cause: 'access' }] })
        expect(told.differences[0]!.detail).toContain(`chmod g-w ${gate}`)
        expect(await page(at)).toMatchObject({ drift: true, cause: 'access' })
        await at.call('POST', '/api/reconcile')
        expect(await drift(at)).toBe(true)
        expect(modeOf(gate)).toBe(0o770)
      } finally {
        chmodSync(gate, 0o700)
      }
      expect(await drift(at)).toBe(false)
    })
  })

  inDepth(() => {
    it('a key that came past us is on the page after the next look, and there is one login for each half minute', async () => {
      const clock = passingClock()
      await using at = await openTestHouse({ env: { ...env, PLUMBLINE_MODE: 'observe' }, clock })
      await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })
      expect(await drift(at)).toBe(false)
      const before = logins()
      const seenAt = async () => (await page(at)).observed_at
      /** Half a minute passes, and the look that is due then has ended. */
      const halfMinute = async () => {
        const last = await seenAt()
        clock.pass(30_000)
        // Its round may not have slept yet just then.
        const seenSoon = async () => {
          const seen = await seenAt()
          if (seen === last) clock.pass(1000)
          return seen
        }
        await expect.poll(seenSoon, { interval: 200 }).not.toBe(last)
      }
      const steps = 20
      const began = clock.now()
      for (let step = 0; step < steps; step++) await halfMinute()
      expect(logins() - before, 'a look for each half minute').toBeGreaterThanOrEqual(steps)
      const most = Math.ceil((clock.now() - began) / 30_000)
      expect(logins() - before, 'one login for each half minute').toBeLessThanOrEqual(most)
      expect(await page(at)).toMatchObject({ drift: false })
      const text = readFileSync(gateway.authorized_keys, 'utf8')
      writeFileSync(gateway.authorized_keys, text.replace(/^# plumbline:end/m, `${keyOf('bob').trim()}\n$&`))
      expect(await logIn('bob')).toBe('bob\n')
      const smuggled = logins()
      clock.pass(30_000)
      const drifts = async () => {
        if (logins() === smuggled) clock.pass(1000)
        return (await page(at)).drift
      }
      await expect.poll(drifts, { interval: 200 }).toBe(true)
      expect(await page(at)).toMatchObject({ cause: 'edited' })
      // What is found is looked at once more, to say what it is.
      expect(logins() - smuggled, 'nobody else has looked').toBeLessThanOrEqual(2)
    })
  })

  itInDepth('a gateway with another host key is written nothing and told nothing', async () => {
    await makeSshKey(join(folder, 'other-host'))
    const other = readFileSync(join(folder, 'other-host.pub'), 'utf8').split(' ').slice(0, 2).join(' ')
    await using at = await openTestHouse({ env: { ...env, PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY: other } })
    const answer = await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })
    expect(answer).toMatchObject({ status: 503, body: { code: 'component_unavailable', saved: true } })
    expect(answer.body['detail']).toMatch(/was known by/)
    expect(await drift(at)).toBeNull()
    expect(existsSync(gateway.authorized_keys)).toBe(false)
  })

  inDepth(() => {
    it('set up in an installation that has releases already, it is kept true from the first key on', async () => {
      const before = await openTestHouse()
      await createActive(before.call)
      const releases = before.call('GET', '/api/releases')
      const count = ((await releases).body as unknown as readonly unknown[]).length
      await before.house.close()
      await using at = await openTestHouse({ env, directory: before.directory })
      await at.call('POST', ALL, { body: { public_key: keyOf('alice') } })
      expect(await logIn('alice')).toBe('alice\n')
      expect(await drift(at)).toBe(false)
      // A key is no reason to deploy anything else.
      expect((await at.call('GET', '/api/releases')).body).toHaveLength(count)
      expect((await at.call('GET', '/api/conditions')).status).toBe(200)
    })
  })

  it('without the pin or the identity the start says what is missing', async () => {
    for (const name of ['PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY', 'PLUMBLINE_AUTHORIZED_KEYS_IDENTITY'])
      await expect(openTestHouse({ env: { ...env, [name]: '' } })).rejects.toThrow(`${name} is needed`)
  })

  inDepth(() => {
    it('the command lists, adds and removes, and says when the gateway is not reached', async () => {
      const directory = newFolder('ssh-cli')
      const own = {
        ...env,
        PLUMBLINE_DATA_DIR: directory,
        PLUMBLINE_LISTEN: '127.0.0.1:0',
        PLUMBLINE_DNS_PROVIDER: 'none',
      }
      await openTestHouse({ env: own, directory }).then((at) => at.house.close())
      const added = await run(
        ['ssh-clients', 'add', join(folder, 'alice.pub'), '--options', '{"pty":false}'],
        own,
      )
      expect(added, added.err).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^SSH client alice@laptop .* was added/) as string,
      })
      expect(await logIn('alice')).toBe('alice\n')
      const listed = await run(['ssh-clients', 'list', '--json'], own)
      const { clients } = JSON.parse(listed.out) as ClientsAnswer
      expect(clients).toMatchObject([{ state: 'deployed', options: { pty: false, port_forwarding: true } }])
      expect((await run(['ssh-clients', 'add', join(folder, 'alice')], own)).err).toContain('private key')
      expect((await run(['ssh-clients', 'remove', 'ssh-', '--yes'], own)).code).toBe(64)
      expect(await run(['ssh-clients', 'remove', clients[0]!.fingerprint, '--yes'], own)).toMatchObject({
        code: 0,
      })
      expect(await logIn('alice')).toBeNull()
      expect((await run(['ssh-clients', 'paint'], own)).code).toBe(64)
      const far = await run(['ssh-clients'], {
        ...own,
        PLUMBLINE_AUTHORIZED_KEYS_IDENTITY: join(folder, 'bob'),
      })
      expect(far).toMatchObject({ code: 3, err: expect.stringContaining('does not let') as string })
    })
  })
})

it('where no gateway is set up the list says so, and nothing is taken', async () => {
  await using at = await openTestHouse()
  expect((await at.call('GET', ALL)).body).toMatchObject({ configured: false, reachable: null, clients: [] })
  const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG0NH3nDIwR2ZTnG9v6K1v7Zk0bQm4mYtq2dRUg2qjXx'
  const refused = await at.call('POST', ALL, { body: { public_key: line } })
  expect(refused).toMatchObject({ status: 503, body: { code: 'component_unavailable' } })
  expect((await at.call('GET', ALL)).body).toMatchObject({ clients: [] })
})
