/** SSH targets over the whole house: real ssh reads what is written, and reaches a real sshd by the name alone. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { knownHosts, sshConfig } from '../../src/features/ssh-targets/model/render.ts'
import { lookAtKeys } from '../../src/features/ssh-targets/key-watch.ts'
import { namesFor } from '../../src/features/ssh-targets/model/names.ts'
import { contactHost } from '../../src/features/ssh-targets/sshd/contact.ts'
import { type FakeGuest, PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { runTool } from '../peers/peer.ts'
import { mapLimit } from '../../src/kernel/async/map-limit.ts'
import { describePeers } from '../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { byTier, SEED } from '../kit/tier.ts'
import type { Store } from '../../src/ports/store.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const BASE = '/companions/inventory/api'
const OTHER_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJH2T0bmeVXeUu8cVGfq3Dmt9hzHbmJAf0QWbnRcyuBt'
type Body = Record<string, unknown>

describePeers(SSHD_PROGRAMS, 'SSH targets', () => {
  let proxmox: ProxmoxApi
  let sshd: Sshd
  let clock: HandClock
  let store: Store | null = null
  let folder: string
  let config: string
  let known: string
  const opened: TestHouse[] = []

  beforeAll(async () => {
    sshd = await startSshd()
  })
  afterAll(() => sshd.stop())
  beforeEach(async () => {
    proxmox = await proxmoxApi()
    clock = handClock(Date.now())
    folder = newFolder('ssh-targets')
    config = join(folder, 'targets.conf')
    known = join(folder, 'known_hosts')
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
    await proxmox.close()
  })

  const loopback = (over = '') => `box=${userInfo().username}@127.0.0.1:${sshd.port}${over}`
  async function open(over: Readonly<Record<string, string>> = {}, directory?: string): Promise<TestHouse> {
    const at = await openTestHouse({
      ...(directory !== undefined && { directory }),
      opened: false,
      clock,
      wrap: { store: (inside) => (store = inside) },
      env: {
        PLUMBLINE_PROXMOX: `lab=${proxmox.base}`,
        PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
        PLUMBLINE_SSH_PROXY_CONFIG: config,
        PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: known,
        ...over,
      },
    })
    opened.push(at)
    return at
  }
  async function ask(at: TestHouse, method: string, path: string, status = 200): Promise<Body> {
    const { status: got, body } = await at.call(method, BASE + path)
    expect(got, `${path}: ${JSON.stringify(body)}`).toBe(status)
    return body
  }
  const list = async (at: TestHouse) => (await ask(at, 'GET', '/ssh-targets')) as unknown as readonly Body[]
  const sync = (at: TestHouse, query = '') => ask(at, 'POST', `/ssh-targets/sync-names${query}`)
  const deploy = (at: TestHouse) => ask(at, 'POST', '/deploy-ssh-proxy')
  const guest = (vmid: number, over: Partial<FakeGuest> = {}): FakeGuest => ({
    type: 'qemu',
    vmid,
    name: `guest${vmid}`,
    config: { net0: `virtio=BC:24:11:00:00:${vmid % 90},bridge=vmbr0`, ipconfig0: `ip=127.9.0.${vmid}/24` },
    ...over,
  })
  const at10 = (vmid: number, over: Partial<FakeGuest> = {}) =>
    guest(vmid, {
      config: { net0: `virtio=BC:24:11:00:00:${vmid % 90},bridge=vmbr0`, ipconfig0: `ip=192.0.2.${vmid}/24` },
      ...over,
    })
  const text = () => readFileSync(config, 'utf8')
  const ssh = (...words: readonly string[]) =>
    runTool('ssh', ['-F', config, '-o', 'BatchMode=yes', '-o', 'IdentityAgent=none', ...words])

  itInDepth('ssh NAME reaches the machine through what was written, by its name alone', async () => {
    const at = await open({ PLUMBLINE_SSH_TARGETS: loopback() })
    for (const [house, configured] of [
      [at, true],
      [await open({ PLUMBLINE_PROXMOX: '', PLUMBLINE_SSH_TARGETS: loopback() }), true],
      [await open({ PLUMBLINE_PROXMOX: '' }), false],
    ] as const)
      expect((await house.call('GET', '/companions/inventory/health')).body).toMatchObject({ configured })
    expect(await deploy(at)).toMatchObject({ success: true, components: [{ component: 'ssh-proxy' }, {}] })
    expect(readFileSync(known, 'utf8')).toContain(`\nbox ${sshd.host_key}\n`)
    expect(await ssh('-i', sshd.identity_file, 'box', 'echo', 'through')).toBe('through\n')
    expect(await list(at)).toMatchObject([
      {
        name: 'box',
        address: '127.0.0.1',
        source: 'setting',
        host_key: sshd.host_key,
        key_origin: 'contact',
        shown_at: null,
        contacted_at: expect.stringMatching(/Z$/),
        released: true,
      },
    ])
  })

  it('a changed host key is a finding, the known one stays, and ssh lets nobody through', async () => {
    const at = await open({ PLUMBLINE_SSH_TARGETS: loopback(` ${OTHER_KEY}`) })
    const { warnings } = await deploy(at)
    expect(JSON.stringify(warnings)).toMatch(/box .* shows another host key/)
    expect(readFileSync(known, 'utf8')).toContain(`\nbox ${OTHER_KEY}\n`)
    await expect(ssh('-i', sshd.identity_file, 'box', 'true')).rejects.toThrow(
      /HOST IDENTIFICATION HAS CHANGED/,
    )
    expect(await list(at)).toMatchObject([
      {
        host_key: OTHER_KEY,
        key_origin: 'setting',
        shown_key: sshd.host_key,
        shown_at: expect.stringMatching(/Z$/),
      },
    ])
    const { body } = await at.call('GET', '/api/notifications')
    expect(JSON.stringify(body)).toContain('ssh_target/setting:box')
  })

  itInDepth(
    'a host key that changes between deploys is found out, and status and health say it',
    async () => {
      const at = await open({ PLUMBLINE_SSH_TARGETS: loopback() })
      await deploy(at)
      const health = async () => {
        const { body } = await at.call('GET', '/api/control-plane/health?probe=true')
        const components = body['components'] as unknown as readonly Body[]
        return components.find(({ name }) => name === 'ssh-host-keys')
      }
      expect(await health()).toMatchObject({ ok: true, drift: false })
      // As if the machine had shown another one at the first contact.
      const database = new Database(join(at.directory, 'plumbline.db'))
      database.prepare('UPDATE ssh_targets SET host_key = ?').run(OTHER_KEY)
      database.close()
      const round = () =>
        lookAtKeys(
          { store: store!, clock, contact: contactHost },
          { first: new Set(), signal: AbortSignal.timeout(60_000) },
        )
      expect(await round()).toEqual(new Set())
      expect(await health()).toMatchObject({ ok: false, drift: true, cause: 'host_key_changed' })
      expect(await list(at)).toMatchObject([{ host_key: OTHER_KEY, shown_key: sshd.host_key }])
    },
  )

  it('names are taken in, released by a deploy alone, and gone ones become orphans', async () => {
    proxmox.guests = [at10(101), at10(102, { name: 'Web Server' }), at10(103, { row: { tags: 'no-ssh' } })]
    const at = await open()
    expect(await list(at)).toMatchObject([
      { name: 'guest101', state: 'new', vmid: 101, cluster: 'lab', source: 'guest' },
      { name: 'web-server', state: 'new', vmid: 102 },
    ])
    expect(await sync(at, '?dry_run=true')).toMatchObject({
      dry_run: true,
      added: ['guest101', 'web-server'],
      plan: { rows: [], actions: [], applyable: true },
    })
    expect(await sync(at)).toMatchObject({
      success: true,
      dry_run: false,
      added: ['guest101', 'web-server'],
      renamed: [],
      gone: [],
      unchanged: 0,
    })
    expect(await sync(at)).toMatchObject({ added: [], unchanged: 2 })
    expect(existsSync(config)).toBe(false)
    const assets = (await ask(at, 'GET', '/assets')) as unknown as readonly Body[]
    expect(assets.map(({ ssh_target }) => ssh_target)).toEqual(['guest101', 'web-server', null])

    proxmox.guests = [at10(102, { name: 'Web Server' })]
    clock.pass(20_000)
    expect(await ask(at, 'GET', '/orphans')).toMatchObject({
      ok: false,
      orphans: [{ kind: 'ssh_target_without_asset', name: 'guest101' }],
    })
    expect(await sync(at)).toMatchObject({ gone: ['guest101'], unchanged: 1 })
    expect(await list(at)).toMatchObject([{ name: 'guest101', state: 'gone' }, { name: 'web-server' }])
    expect(await sync(at, '?forget=true')).toMatchObject({ forgotten: ['guest101'] })
    expect(await ask(at, 'GET', '/orphans')).toMatchObject({ orphans: [] })
  })

  itInDepth('whoever renames a guest takes over no name', async () => {
    const tenant = (name: string) => at10(150, { name })
    proxmox.guests = [at10(141, { name: 'web' }), at10(142, { name: 'web' }), tenant('tenant')]
    const at = await open()
    await sync(at)
    await deploy(at)
    proxmox.guests = [at10(141, { name: 'web' }), at10(142, { name: 'web' }), tenant('web-141')]
    clock.pass(20_000)
    expect(await sync(at)).toMatchObject({ renamed: [{ from: 'tenant', to: 'web-141-150' }] })
    await deploy(at)
    expect(text()).toContain('Host web-141\n  HostName 192.0.2.141\n')
  })

  it('of a cluster that does not answer, nothing is gone, and orphans are not known', async () => {
    proxmox.guests = [at10(101)]
    const at = await open()
    await sync(at)
    proxmox.answer = (_request, response) => {
      response.writeHead(500, 'all is lost').end()
      return true
    }
    clock.pass(20_000)
    expect(await sync(at)).toMatchObject({ gone: [], complete: false, unchanged: 1 })
    expect(await list(at)).toMatchObject([{ name: 'guest101', state: 'unknown' }])
    const { unknown_kinds } = await ask(at, 'GET', '/orphans')
    expect(JSON.stringify(unknown_kinds)).toContain('ssh_target_without_asset')
  })

  it('an edit by hand is undone, what else stands in the folder is left, and what was there first is not ours', async () => {
    writeFileSync(join(folder, 'theirs.conf'), 'Host theirs\n')
    const at = await open({ PLUMBLINE_SSH_TARGETS: loopback() })
    await deploy(at)
    const before = text()
    appendFileSync(config, 'Host *\n  ProxyCommand touch /tmp/x\n')
    expect(await ask(at, 'POST', '/deploy-ssh-proxy')).toMatchObject({ success: true })
    const withoutStamp = (all: string) => all.replace(/^.*\n/, '')
    expect(withoutStamp(text())).toBe(withoutStamp(before))
    expect(readFileSync(join(folder, 'theirs.conf'), 'utf8')).toBe('Host theirs\n')
  })

  itInDepth(
    'keys and files are both deployed and reported, and a gateway that takes no keys gets its files',
    async () => {
      const keys = join(folder, 'authorized_keys')
      const at = await open({ PLUMBLINE_SSH_TARGETS: loopback(), PLUMBLINE_AUTHORIZED_KEYS: keys })
      const { components } = await deploy(at)
      expect((components as readonly Body[]).map(({ key }) => key)).toEqual([
        'ssh-gateway',
        'ssh-proxy:known_hosts',
        'ssh-proxy',
      ])
      await at[Symbol.asyncDispose]()
      rmSync(config)
      const lost = await open({
        PLUMBLINE_SSH_TARGETS: loopback(),
        PLUMBLINE_AUTHORIZED_KEYS: `sftp://nobody@127.0.0.1:${sshd.port}/keys`,
        PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY: OTHER_KEY,
        PLUMBLINE_AUTHORIZED_KEYS_IDENTITY: sshd.identity_file,
      })
      expect((await lost.call('POST', `${BASE}/deploy-ssh-proxy`)).status).toBeGreaterThanOrEqual(500)
      expect(text()).toContain('\nHost box\n')
    },
  )

  itInDepth(
    'what was released and not written when the daemon died is written at the next start, and kept so',
    async () => {
      const directory = newFolder('ssh-killed')
      const env = { PLUMBLINE_SSH_PROXY_CONFIG: config, PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: known }
      const first = await openTestHouse({ directory, env, opened: false })
      await first.house.close()
      // As the transaction of a deploy leaves it.
      const database = new Database(join(directory, 'plumbline.db'))
      database
        .prepare(`INSERT INTO ssh_proxy_hosts VALUES ('nas', '192.0.2.1', 22, 'root', ?)`)
        .run(OTHER_KEY)
      database.close()
      const next = await openTestHouse({ directory, env })
      opened.push(next)
      await expect.poll(() => existsSync(config) && text(), { timeout: 30_000 }).toContain('\nHost nas\n')
      await expect
        .poll(() => existsSync(known) && readFileSync(known, 'utf8'), { timeout: 30_000 })
        .toContain(`\nnas ${OTHER_KEY}\n`)
      // What is edited while it is written down as ours is looked at again only after a while.
      const well = async () => {
        const { body } = await next.call('GET', '/api/control-plane/health?probe=true')
        const parts = body['components'] as unknown as readonly { name: string; ok: boolean }[]
        return parts.filter(({ name }) => name.startsWith('ssh-proxy')).every(({ ok }) => ok)
      }
      await expect.poll(well, { timeout: 30_000 }).toBe(true)
      appendFileSync(known, `nas ${sshd.host_key}\n`)
      appendFileSync(config, 'Host *\n  ProxyCommand id\n')
      await expect.poll(text, { timeout: 30_000 }).not.toContain('ProxyCommand')
      await expect.poll(() => readFileSync(known, 'utf8'), { timeout: 30_000 }).not.toContain(sshd.host_key)
    },
  )

  it('a dry run of a deploy shows the hosts and writes nothing', async () => {
    const at = await open({ PLUMBLINE_SSH_TARGETS: loopback() })
    const { plan } = await ask(at, 'POST', '/deploy-ssh-proxy?dry_run=true')
    expect(plan).toMatchObject({ actions: [{ component: 'ssh-proxy', item: 'Host box', verb: 'create' }] })
    expect([existsSync(config), (await list(at))[0]!['released']]).toEqual([false, false])
  })

  // Nobody listens there, so that a first contact ends at once.
  const listed = (names: readonly number[]) => names.map((at) => `box${at}=root@127.9.0.${at}:1`).join(',')
  const MASS: readonly [string, number, number, readonly string[]][] = [
    ['all of two', 2, 0, ['emptied_edition']],
    ['all of twelve', 12, 0, ['emptied_edition', 'bulk_removal']],
    ['six of twelve', 12, 6, ['bulk_removal']],
    ['four of twelve', 12, 8, ['bulk_removal']],
  ]
  itOneIn(3).each(MASS)(
    '%s go only by a plan that says it, typed back',
    async (_what, before, after, rules) => {
      const names = Array.from({ length: before }, (_, at) => at + 1)
      const first = await open({ PLUMBLINE_SSH_TARGETS: listed(names) })
      await deploy(first)
      const directory = first.directory
      await first.house.close()
      const written = text()
      const at = await open({ PLUMBLINE_SSH_TARGETS: listed(names.slice(0, after)) }, directory)
      const { plan } = await ask(at, 'POST', '/deploy-ssh-proxy?dry_run=true')
      const { guards, hash, actions } = plan as { guards: Body[]; hash: string; actions: Body[] }
      expect(guards.map(({ rule }) => rule)).toEqual(rules)
      expect(actions.filter(({ verb }) => verb === 'delete')).toHaveLength(before - after)
      const refused = await ask(at, 'POST', '/deploy-ssh-proxy', 409)
      expect(refused).toMatchObject({ code: 'refused_by_guard', plan: { hash } })
      expect(text()).toBe(written)
      await ask(at, 'POST', `/deploy-ssh-proxy?confirm=${'0'.repeat(64)}`, 409)
      expect(text()).toBe(written)
      expect(await ask(at, 'POST', `/deploy-ssh-proxy?confirm=${hash}`)).toMatchObject({ success: true })
      expect(text().match(/^Host /gm) ?? []).toHaveLength(after)
      await ask(at, 'POST', `/deploy-ssh-proxy?confirm=${hash}`, 409)
    },
  )

  itInDepth('one goes, or its address changes, without a confirmation, and is told', async () => {
    const first = await open({ PLUMBLINE_SSH_TARGETS: `${listed([1, 2])},only=root@127.9.0.9:1` })
    await deploy(first)
    await first.house.close()
    const at = await open(
      { PLUMBLINE_SSH_TARGETS: 'only=root@127.9.0.8:1,box1=root@127.9.0.1:1' },
      first.directory,
    )
    expect(await deploy(at)).toMatchObject({
      success: true,
      warnings: expect.arrayContaining([
        expect.stringMatching(/^only may lead to another machine.*127\.9\.0\.8:1 .*127\.9\.0\.9:1 /),
      ]) as unknown,
    })
    expect(text().match(/^Host .*/gm)).toEqual(['Host box1', 'Host only'])
  })

  it('what is planned is carried out by its hash, also where a first contact tells a host key', async () => {
    const at = await open({ PLUMBLINE_SSH_TARGETS: loopback() })
    const { plan } = await ask(at, 'POST', '/deploy-ssh-proxy?dry_run=true')
    const { hash } = plan as { readonly hash: string }
    expect(await ask(at, 'POST', `/deploy-ssh-proxy?confirm=${hash}`)).toMatchObject({ success: true })
    expect(readFileSync(known, 'utf8')).toContain(`\nbox ${sshd.host_key}\n`)
  })

  describe('on another machine', () => {
    const place = (path: string) => `sftp://${sshd.user}@127.0.0.1:${sshd.port}${path}`
    const there = (over: Readonly<Record<string, string>> = {}) => ({
      PLUMBLINE_SSH_TARGETS: loopback(),
      PLUMBLINE_SSH_PROXY_CONFIG: place(config),
      PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: place(known),
      PLUMBLINE_SSH_PROXY_HOST_KEY: sshd.host_key,
      PLUMBLINE_SSH_PROXY_IDENTITY: sshd.identity_file,
      ...over,
    })

    it('both files are written over SFTP, ssh reads them there, and what a hand does is undone', async () => {
      const at = await open(there())
      expect(await deploy(at)).toMatchObject({
        success: true,
        components: [{ component: 'ssh-proxy' }, {}],
      })
      expect(text()).toContain(`UserKnownHostsFile "${known}"`)
      expect(await ssh('-i', sshd.identity_file, 'box', 'echo', 'through')).toBe('through\n')
      expect([config, known].map((path) => statSync(path).mode & 0o777)).toEqual([0o644, 0o644])
      const before = [text(), readFileSync(known, 'utf8')]
      appendFileSync(config, 'Host *\n  ProxyCommand id\n')
      chmodSync(known, 0o666)
      expect(await deploy(at)).toMatchObject({ success: true })
      const bodies = (all: readonly string[]) => all.map((one) => one.replace(/^.*\n/, ''))
      expect(bodies([text(), readFileSync(known, 'utf8')])).toEqual(bodies(before))
      expect(statSync(known).mode & 0o777).toBe(0o644)
      // Nothing half is left; what the hand wrote is kept as evidence.
      const rest = readdirSync(folder).filter((name) => !['targets.conf', 'known_hosts'].includes(name))
      expect(rest).toEqual([expect.stringMatching(/^\.plumbline-evidence-/)])
      expect(readFileSync(join(folder, rest[0]!), 'utf8')).toContain('ProxyCommand id')
    })

    itInDepth(
      'what stood there first is not ours, and a machine with another key, or none that answers, is not written to',
      async () => {
        writeFileSync(config, 'Host theirs\n')
        const first = await open(there())
        await ask(first, 'POST', '/deploy-ssh-proxy', 409)
        expect(text()).toBe('Host theirs\n')
        rmSync(config)
        rmSync(known, { force: true })
        const other = await open(there({ PLUMBLINE_SSH_PROXY_HOST_KEY: OTHER_KEY }))
        const { status, body } = await other.call('POST', `${BASE}/deploy-ssh-proxy`)
        expect([status >= 500, JSON.stringify(body)]).toEqual([
          true,
          expect.stringContaining('PLUMBLINE_SSH_PROXY_HOST_KEY'),
        ])
        const dead = `sftp://${sshd.user}@127.0.0.1:1`
        const gone = await open(
          there({
            PLUMBLINE_SSH_PROXY_CONFIG: `${dead}${config}`,
            PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: `${dead}${known}`,
          }),
        )
        expect((await gone.call('POST', `${BASE}/deploy-ssh-proxy`)).status).toBeGreaterThanOrEqual(500)
        expect([existsSync(config), existsSync(known)]).toEqual([false, false])
      },
    )

    it('whoever sets it halfway is told which setting is missing', async () => {
      for (const [over, name] of [
        [{ PLUMBLINE_SSH_PROXY_HOST_KEY: '' }, 'PLUMBLINE_SSH_PROXY_HOST_KEY'],
        [{ PLUMBLINE_SSH_PROXY_IDENTITY: '' }, 'PLUMBLINE_SSH_PROXY_IDENTITY'],
        [{ PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: known }, 'the same machine'],
        [{ PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: place(config) }, 'another file'],
        [{ PLUMBLINE_SSH_PROXY_CONFIG: place('/a"b') }, 'must not hold quotes'],
      ] as const)
        await expect(open(there(over)), name).rejects.toThrow(name)
    })
  })

  it('a file that stood there first is never written over', async () => {
    writeFileSync(config, 'Host theirs\n')
    const at = await open({ PLUMBLINE_SSH_TARGETS: loopback() })
    const { status, body } = await at.call('POST', `${BASE}/deploy-ssh-proxy`)
    expect([status, text()], JSON.stringify(body)).toEqual([409, 'Host theirs\n'])
    expect(body['detail']).toMatch(/is left alone\. Move it away; the next pass/)
  })

  it('without the setting nothing is deployed, and the answer names it', async () => {
    const at = await open({ PLUMBLINE_SSH_PROXY_CONFIG: '' })
    expect(await ask(at, 'POST', '/deploy-ssh-proxy', 503)).toMatchObject({
      detail: expect.stringContaining('PLUMBLINE_SSH_PROXY_CONFIG') as string,
    })
  })

  it('keyless callers may look and change nothing', async () => {
    const at = await open()
    for (const path of ['/ssh-targets/sync-names', '/deploy-ssh-proxy'])
      expect((await at.call('POST', BASE + path, { key: null })).status, path).toBe(401)
    expect((await at.call('GET', `${BASE}/ssh-targets`, { key: null })).status).toBe(200)
    expect((await at.call('GET', `${BASE}/ssh-targets`, { key: null, peer: '203.0.113.9' })).status).not.toBe(
      200,
    )
  })

  itInDepth(
    'ssh accepts the file whatever guests are called, and shows no directive of theirs',
    async () => {
      const count = byTier(40, 300, 1_000)
      const hostile = fc.oneof(
        fc.constantFrom(
          'a\nProxyCommand touch /tmp/pwned',
          'a\r\n  LocalCommand id\r\n',
          'Match exec "id"',
          '* !x',
          '"',
          '%h ${HOME} `id`',
          'Include /etc/passwd',
          '-oProxyCommand=id',
          '../../etc',
          '\u202egnp',
          'a#b',
          '=',
        ),
        fc.string({ unit: 'binary', maxLength: 70 }),
      )
      const called = fc.sample(hostile, { numRuns: count, seed: SEED })
      const guests = called.map((name, i) => ({ id: String(i), called: name, cluster: 'lab', vmid: 100 + i }))
      const names = namesFor(guests, { names: [] })
      const hosts = guests.map(({ id, vmid }) => ({
        name: names.get(id)!,
        address: `10.0.${vmid >> 8}.${vmid & 255}`,
        port: 22,
        user: 'root',
        host_key: OTHER_KEY,
      }))
      writeFileSync(config, sshConfig(hosts, known))
      writeFileSync(known, knownHosts(hosts))
      await mapLimit(hosts, { at_once: 4 }, async ({ name, address }) => {
        const shown = await runTool('ssh', ['-G', '-F', config, name])
        expect(shown).toContain(`\nhostname ${address}\n`)
        expect(shown).toContain(`\nhostkeyalias ${name}\n`)
        expect(shown).toContain(`\nuserknownhostsfile ${known}\n`)
        expect(shown).toMatch(/^stricthostkeychecking (?:true|yes)$/m)
        expect(shown).not.toMatch(
          /^(?:proxycommand|localcommand|proxyjump|remotecommand|knownhostscommand) (?!none)/m,
        )
        expect(shown).toMatch(/^permitlocalcommand no$/m)
      })
      expect(new Set((await runTool('ssh-keygen', ['-l', '-f', known])).trim().split('\n')).size).toBe(count)
    },
    300_000,
  )
})
