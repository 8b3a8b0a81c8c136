/** The VPN companion over the whole house and a real sshd: what it answers, and what it refuses with which words. */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import { publicKeyOf, urlSpelling } from '../../src/features/vpn/model/key.ts'
import { type HandClock, handClock } from '../fakes/hand-clock.ts'
import { UNIFI_KEY, unifiApi } from '../fakes/lab/unifi.ts'
import { runTool, until } from '../peers/peer.ts'
import { describePeers } from '../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { makeSshKey } from '../peers/ssh-key.ts'

const BASE = '/companions/vpn'
const SERVER_KEY = publicKeyOf(randomBytes(32).toString('base64'))

/** Half of all keys hold a slash. */
const keyPair = (isWanted: (public_key: string) => boolean = () => true) => {
  for (;;) {
    const private_key = randomBytes(32).toString('base64')
    const public_key = publicKeyOf(private_key)
    if (isWanted(public_key)) return { private_key, public_key }
  }
}
const phone = keyPair((key) => key.includes('/') && key.includes('+'))
const laptop = keyPair()

const peerOf = (public_key: string, at: number, over: Readonly<Record<string, unknown>> = {}) => ({
  name: `device${at}`,
  public_key,
  has_preshared_key: false,
  endpoint: null,
  allowed_ips: [`192.168.7.${at}/32`],
  latest_handshake: 0,
  transfer_rx: 0,
  transfer_tx: 0,
  persistent_keepalive: 0,
  ...over,
})
const exportOf = (
  peers: readonly unknown[] = [
    peerOf(phone.public_key, 2, { name: 'phone' }),
    peerOf(laptop.public_key, 3, { name: null }),
  ],
  over: Readonly<Record<string, unknown>> = {},
) => ({
  format: 'plumbline-wg/1',
  hostname: 'ucg',
  generated_at: 1,
  interfaces: [
    {
      name: 'wgsrv1',
      public_key: SERVER_KEY,
      listen_port: 51820,
      addresses: ['192.168.7.1/24', 'fe80::1/64'],
      mtu: 1420,
      peers,
      ...over,
    },
  ],
})

describePeers(SSHD_PROGRAMS, 'the VPN companion', () => {
  let sshd: Sshd
  let identity_file: string
  let clock: HandClock
  /** Everything that was logged, with its facts. */
  let logged: unknown[]

  beforeAll(async () => {
    sshd = await startSshd()
    identity_file = join(sshd.directory, 'vpn')
    await makeSshKey(identity_file)
  })
  afterAll(() => sshd.stop())

  const writes = (text: string) => {
    writeFileSync(join(sshd.directory, 'export'), text)
    letIn(`restrict,command="cat ${join(sshd.directory, 'export')}" `)
  }
  const letIn = (options: string) =>
    writeFileSync(sshd.authorized_keys, options + readFileSync(`${identity_file}.pub`, 'utf8'), {
      mode: 0o600,
    })
  const gatewaySays = (answer: unknown) => writes(JSON.stringify(answer))

  beforeEach(() => {
    clock = handClock(Date.now())
    logged = []
    gatewaySays(exportOf())
  })

  const note = (message: string, facts?: unknown) => void logged.push([message, facts])
  const open = (env: Readonly<Record<string, string>> = {}, by: Clock = clock): Promise<TestHouse> =>
    openTestHouse({
      opened: false,
      clock: by,
      log: { debug: note, info: note, warn: note, error: note },
      env: {
        UCG_SSH_KEY: identity_file,
        UCG_SSH_USER: sshd.user,
        UCG_UK_HOST: `127.0.0.1:${sshd.port}`,
        UCG_FR_HOST: 'none',
        UK_DNS_ENDPOINT: 'localhost',
        ...env,
      },
    })
  const get = (house: TestHouse, path: string, headers: Readonly<Record<string, string>> = {}) =>
    house.call('GET', BASE + path, { headers })
  const site = async (house: TestHouse) => (await get(house, '/api/sites/uk')).body

  itInDepth('tells sites and peers, and makes the file of each in every spelling of its key', async () => {
    await using house = await open()
    expect(await site(house)).toMatchObject({
      status: 'ok',
      name: 'UK',
      peer_count: 2,
      server_public_key: SERVER_KEY,
      dns: ['192.168.7.1'],
      subnets: ['192.168.7.0/24'],
      host_key: 'first_use',
    })
    const clients = await get(house, '/api/clients')
    expect(clients.headers.get('x-complete')).toBe('true')
    expect(clients.body).toMatchObject([
      { name: `peer-${laptop.public_key.slice(0, 8)}` },
      { name: 'phone', tunnel_ip: '192.168.7.2', online: false },
    ])
    const { public_key } = phone
    for (const spelling of [
      urlSpelling(public_key),
      `${urlSpelling(public_key)}=`,
      encodeURIComponent(public_key),
      public_key.replaceAll('/', '%2f'),
    ]) {
      const answer = await get(house, `/api/clients/uk/${spelling}/config`)
      expect([answer.status, answer.headers.get('content-disposition')], spelling).toEqual([
        200,
        'attachment; filename="uk-phone.conf"',
      ])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.body).toContain('PrivateKey = REPLACE_WITH_PRIVATE_KEY')
      expect(answer.body).toContain('Endpoint = localhost:51820')
    }
  })

  itInDepth('refuses what there is none of, each with its status', async () => {
    await using house = await open()
    const refused: readonly [string, number][] = [
      ['/api/sites/u%2Fk', 400],
      ['/api/clients/u%2Fk/x/config', 400],
      ['/api/sites/de', 404],
      ['/api/clients?site=de', 422],
      ['/api/clients?site=fr', 503],
      ['/api/clients/de/x/config', 404],
      ['/api/clients/uk/x/config', 404],
      [`/api/clients/uk/${urlSpelling(SERVER_KEY)}/qr`, 404],
      [`/api/clients/fr/${urlSpelling(SERVER_KEY)}/config`, 503],
      ['/api/clients?private_key=x', 422],
      ['/api/nothing', 404],
    ]
    for (const [path, status] of refused) expect((await get(house, path)).status, path).toBe(status)
    expect((await get(house, '/api/clients?site=fr')).body['detail']).toContain('UCG_FR_HOST is none')
  })

  it('lets an encoded slash through for a key alone: the main service still refuses it', async () => {
    await using house = await open()
    for (const path of ['/api/domains/1%2F2', '/health%2F', `${BASE}%2Fhealth`, '/api/ddns%2Fupdate'])
      expect((await house.call('GET', path)).status, path).toBe(400)
  })

  describe('a private key', () => {
    const body = (over: Readonly<Record<string, unknown>> = {}) => ({
      site_id: 'uk',
      peer_pubkey: phone.public_key,
      private_key: phone.private_key,
      ...over,
    })
    const render = (house: TestHouse, given: unknown, path = '/api/render-config', headers = {}) =>
      house.call('POST', BASE + path, { body: given, headers })

    it('of the peer is put into the file, and its QR code', async () => {
      await using house = await open()
      const answer = await render(house, body({ allowed_ips: '192.168.1.7/24, fd00::/8' }), undefined, {
        accept: 'application/json',
      })
      expect(answer.body).toMatchObject({
        filename: 'uk-phone.conf',
        warnings: [{ code: 'host_bits_cleared' }],
      })
      expect(answer.body['config']).toContain(`PrivateKey = ${phone.private_key}`)
      expect(answer.body['config']).toContain('AllowedIPs = 192.168.1.0/24, fd00::/8')
      const svg = await render(house, body(), '/api/render-qr', { accept: 'image/svg+xml' })
      expect([svg.status, svg.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect((await render(house, body(), '/api/render-qr')).headers.get('content-type')).toBe('image/png')
    })

    itInDepth('of somebody else is warned of in the header, and the file says nothing', async () => {
      await using house = await open()
      const answer = await render(house, body({ private_key: laptop.private_key }))
      expect([answer.status, answer.headers.get('x-plumbline-warning')]).toEqual([
        200,
        'private_key_mismatch',
      ])
      expect(answer.body).not.toMatch(/#|mismatch/)
    })

    it('is in no log, no file and no message, whatever became of the call', async () => {
      const canary = phone.private_key
      const half = canary.slice(0, 43)
      await using house = await open()
      const said: string[] = []
      const tries: readonly [unknown, string?][] = [
        [body()],
        [body(), '/api/render-qr'],
        [body({ private_key: half })],
        [body({ private_key: `${canary}\n` })],
        [body({ private_key: [canary] })],
        [body({ [canary]: canary, site_id: 'de' })],
        [body({ allowed_ips: canary })],
        [body({ peer_pubkey: canary })],
        [body({ preshared_key: half })],
        [`{"private_key":"${canary}"`],
        [`${canary}`],
        [body(), `/api/render-config?private_key=${encodeURIComponent(canary)}`],
        [body(), '/api/sync'],
      ]
      for (const [given, path] of tries) {
        const answer = await render(house, given, path, { 'idempotency-key': 'same' })
        if (answer.status >= 400) said.push(JSON.stringify(answer.body))
      }
      expect(said.length).toBeGreaterThan(8)
      // The name of a field is the caller's own, and told back to them alone.
      const told = said
        .filter((text) => text.includes(half))
        .filter((text) => !text.includes('"extra_forbidden"'))
      expect(told).toEqual([])
      expect(JSON.stringify(logged)).not.toContain(half)
      for (const file of filesIn(house.directory)) expect(readFileSync(file).includes(half), file).toBe(false)
    })

    itInDepth('that is none is refused with words that help, and so are fields beside it', async () => {
      await using house = await open()
      const refused: readonly [string, Readonly<Record<string, unknown>>, RegExp][] = [
        ['of 43 characters', { private_key: 'A'.repeat(43) }, /private_key/],
        ['of zeros', { private_key: `${'A'.repeat(43)}=` }, /all zeros/],
        ['for a site that there is none of', { site_id: 'de' }, /site_id/],
        ['for no key', { peer_pubkey: 'x' }, /public key of WireGuard/],
        ['with networks that are none', { allowed_ips: 'PostUp = id' }, /allowed_ips/],
      ]
      for (const [what, over, words] of refused) {
        const answer = await render(house, body(over))
        expect(answer.status, what).toBe(422)
        expect(JSON.stringify(answer.body), what).toMatch(words)
      }
    })

    itInDepth('is not asked for more than thirty times a minute', async () => {
      await using house = await open()
      const answers: number[] = []
      for (let round = 0; round < 31; round++) answers.push((await render(house, body())).status)
      expect(answers.slice(0, 30).every((status) => status === 200)).toBe(true)
      expect(answers[30]).toBe(429)
    })

    itInDepth(
      'cannot be used where the gateway tells no key or port, and a long file has no QR code',
      async () => {
        gatewaySays(exportOf(undefined, { public_key: null }))
        await using house = await open()
        expect((await render(house, body())).status).toBe(409)
        gatewaySays(exportOf())
        await house.call('POST', `${BASE}/api/sync`, { body: {} })
        const many = Array.from({ length: 200 }, (_, at) => `10.${at}.17.0/24`).join(',')
        const answer = await render(house, body({ allowed_ips: many }), '/api/render-qr')
        expect(answer.status).toBe(422)
        expect(JSON.stringify(answer.body)).toMatch(/bytes, and a QR code holds 2953/)
      },
    )
  })

  itInDepth(
    'a peer with a preshared key has a line for it, and a peer that vanished is not found',
    async () => {
      gatewaySays(exportOf([peerOf(phone.public_key, 2, { has_preshared_key: true })]))
      await using house = await open()
      const answer = await get(house, `/api/clients/uk/${urlSpelling(phone.public_key)}/config`)
      expect(answer.body).toContain('PresharedKey = REPLACE_WITH_PRESHARED_KEY')
      expect(answer.headers.get('x-plumbline-warning')).toBe('preshared_key_missing')
      gatewaySays(exportOf([]))
      clock.pass(61_000)
      expect((await get(house, `/api/clients/uk/${urlSpelling(phone.public_key)}/config`)).status).toBe(404)
    },
  )

  describe('a gateway that', () => {
    itInDepth('writes no export is unreadable, and its list is not an empty one', async () => {
      const written: readonly [string, string, RegExp][] = [
        ['writes nothing', '', /wrote nothing.*gateway-script/],
        ['is cut', JSON.stringify(exportOf()).slice(0, 200), /no JSON.*cut/],
        ['colours', `\u001b[31m${JSON.stringify(exportOf())}`, /no JSON/],
        ['greets first', `Welcome\n${JSON.stringify(exportOf())}`, /no JSON.*before it/],
        [
          'has another format',
          JSON.stringify({ ...exportOf(), format: 'plumbline-wg/2' }),
          /plumbline-wg\/1/,
        ],
        ['has no list of peers', JSON.stringify(exportOf(null as never)), /peers of wgsrv1/],
        ['has no server', '{"interfaces":[]}', /no WireGuard interface/],
        [
          'has two servers',
          JSON.stringify({
            interfaces: ['wgsrv1', 'wgsrv2'].map((name) => ({ ...exportOf().interfaces[0], name })),
          }),
          /UCG_UK_INTERFACE/,
        ],
      ]
      await using house = await open()
      for (const [what, text, words] of written) {
        writes(text)
        clock.pass(61_000)
        expect(await site(house), what).toMatchObject({
          status: 'unreadable',
          detail: expect.stringMatching(words),
          peer_count: null,
        })
        expect((await get(house, '/api/clients')).status, what).toBe(503)
      }
    })

    itInDepth('writes without end is unreadable, and nobody is sent to its keys for it', async () => {
      letIn('restrict,command="yes" ')
      await using house = await open()
      expect(await site(house)).toMatchObject({
        status: 'unreadable',
        detail: expect.stringContaining('1048576'),
      })
    })

    itInDepth('has no such command says how it ended', async () => {
      letIn('restrict,command="/nowhere/wg-export" ')
      await using house = await open()
      expect(await site(house)).toMatchObject({
        status: 'unreadable',
        detail: expect.stringMatching(/ended with code 127.*gateway-script/),
      })
    })

    itInDepth('runs what it is asked for is refused: the key is one of a shell', async () => {
      letIn('')
      await using house = await open()
      expect(await site(house)).toMatchObject({
        status: 'refused',
        detail: expect.stringContaining('not restricted to the export'),
      })
    })

    it('does not know the key is refused', async () => {
      writeFileSync(sshd.authorized_keys, '', { mode: 0o600 })
      await using house = await open()
      const { status, detail } = await site(house)
      expect([status, detail]).toEqual(['refused', expect.stringContaining('does not let')])
      // The bare key would be one of a shell.
      expect(detail).toContain('plumbline vpn gateway-line')
      expect(detail).not.toContain('public half')
      // Anybody may ask for the health: where the gateway is, and as whom it is read, is not for them.
      const health = await get(house, '/health')
      expect(health.body).toMatchObject({
        sites: [{ status: 'refused', detail: 'GET /api/sites says why.' }, {}],
      })
      for (const word of ['127.0.0.1', sshd.user, identity_file])
        expect(JSON.stringify(health.body)).not.toContain(word)
    })

    itInDepth(
      'shows another host key than the pinned one, or than at the first contact, is refused',
      async () => {
        const pin = 'SHA256:UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw'
        await using pinned = await open({ UCG_UK_HOST_KEY: pin })
        const { status, detail } = await site(pinned)
        expect(status).toBe('refused')
        for (const word of [pin, fingerprintOf(sshd.host_key), 'UCG_UK_HOST_KEY'])
          expect(detail).toContain(word)
        const house = await open()
        expect(await site(house)).toMatchObject({ status: 'ok', host_key: 'first_use' })
        const other = await startSshd()
        try {
          // Another machine behind the same address: the place is the same, the key is not.
          await house.house.close()
          const database = join(house.directory, 'plumbline.db')
          const shown = other.host_key
          await runTool('sqlite3', [database, `UPDATE vpn_gateways SET host_key = '${shown}'`])
          const again = await openTestHouse({
            opened: false,
            clock,
            directory: house.directory,
            env: {
              UCG_SSH_KEY: identity_file,
              UCG_SSH_USER: sshd.user,
              UCG_UK_HOST: `127.0.0.1:${sshd.port}`,
              UCG_FR_HOST: 'none',
            },
          })
          const { status, detail } = await site(again)
          expect(status).toBe('refused')
          for (const key of [sshd.host_key, shown]) expect(detail).toContain(fingerprintOf(key))
          await again[Symbol.asyncDispose]()
        } finally {
          await other.stop()
        }
      },
    )

    itInDepth('never answers holds up no health page, which tells what is known of it', async () => {
      const silent = createServer().listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      try {
        await using house = await open({ UCG_FR_HOST: `127.0.0.1:${port}` }, systemClock)
        await house.house.open()
        const looked = async () => {
          const { body } = await house.call('GET', '/api/control-plane/health')
          return (body as unknown as HealthAnswer).components.find(({ name }) => name === 'vpn')
        }
        await until('it to be looked at', async () => (await looked())?.reason !== 'never_looked')
        expect(await looked()).toMatchObject({
          reason: 'unreachable',
          message: expect.stringContaining('FR: It was not read yet.'),
        })
      } finally {
        silent.close()
      }
    })

    itInDepth('is gone keeps its list, marked as old', async () => {
      await using house = await open()
      expect(await site(house)).toMatchObject({ status: 'ok' })
      writes('')
      clock.pass(61_000)
      expect(await site(house)).toMatchObject({ status: 'stale', peer_count: 2 })
      const clients = await get(house, '/api/clients')
      expect([clients.status, clients.headers.get('x-complete'), clients.body.length]).toEqual([
        200,
        'false',
        2,
      ])
      const config = await get(house, `/api/clients/uk/${urlSpelling(phone.public_key)}/config`)
      expect(config.headers.get('x-plumbline-warning')).toBe('stale')
      gatewaySays(exportOf())
      clock.pass(61_000)
      // It was told as it is, and is read behind the answer.
      await until('it to be read', async () => (await site(house))['status'] === 'ok')
    })
  })

  itInDepth('a hundred callers on a list that is old cost one login', async () => {
    const count = () => sshd.log().split('Accepted publickey').length - 1
    await using house = await open()
    await site(house)
    const before = count()
    clock.pass(61_000)
    await Promise.all(Array.from({ length: 100 }, () => get(house, '/api/clients')))
    expect(count() - before).toBe(1)
  })

  itInDepth('is synchronised once in five seconds', async () => {
    await using house = await open()
    const sync = () => house.call('POST', `${BASE}/api/sync`, { body: {} })
    expect((await sync()).body).toMatchObject({
      success: true,
      sites: [{ status: 'ok' }, { status: 'not_configured' }],
    })
    const refused = await sync()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    clock.pass(5_000)
    expect((await sync()).status).toBe(200)
  })

  it('names of a controller stand where the gateway has none, and nothing secret of its users', async () => {
    const unifi = await unifiApi()
    try {
      unifi.lists.set('rest/networkconf', [
        {
          _id: 'net1',
          name: 'WireGuard',
          purpose: 'remote-user-vpn',
          vpn_type: 'wireguard-server',
          wireguard_public_key: SERVER_KEY,
          x_wireguard_private_key: 'CANARY-server',
        },
      ])
      unifi.lists.set('v2/wireguard/net1/users', [
        { _id: 'u', name: 'Anna’s laptop', public_key: laptop.public_key, preshared_key: 'CANARY-psk' },
      ])
      await using house = await open({
        PLUMBLINE_UNIFI_URL: `home=${unifi.base}`,
        PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
      })
      // A controller that is slow to answer holds up no list: its names come with a later one.
      const listed = async () => {
        clock.pass(61_000)
        return (await get(house, '/api/clients')).body
      }
      await expect.poll(listed).toMatchObject([{ name: 'Anna’s laptop' }, { name: 'phone' }])
      expect(JSON.stringify(await listed())).not.toContain('CANARY')
    } finally {
      await unifi.close()
    }
  })

  itInDepth('says whether the names resolve here, and what is wrong with those that do not', async () => {
    await using house = await open({ FR_DNS_ENDPOINT: 'nowhere.invalid' })
    await site(house)
    const { body } = await get(house, '/api/drift')
    expect(body).toMatchObject({
      ok: true,
      sites: [
        { dns_endpoint: 'localhost', resolves: true },
        { dns_endpoint: 'nowhere.invalid', configured: false, resolves: false, error: expect.any(String) },
      ],
    })
  })

  it('without a key answers that nothing is configured, and counts for nothing', async () => {
    await using house = await openTestHouse({ opened: false })
    expect((await get(house, '/health')).body).toMatchObject({ status: 'ok', configured: false })
    expect(await site(house)).toMatchObject({ gateway_host: 'uk-gateway.home.arpa', configured: false })
    const clients = await get(house, '/api/clients')
    expect([clients.status, clients.headers.get('x-complete'), clients.body]).toEqual([200, 'null', []])
    for (const path of ['/docs', '/openapi.json', '/', '/static/dashboard.css'])
      expect((await get(house, path)).status, path).toBe(200)
  })
})

/** `SHA256:…` of `ssh-ed25519 AAAA…` */
const fingerprintOf = (host_key: string): string =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(host_key.split(' ')[1]!, 'base64'))
    .digest('base64')
    .replace('=', '')}`

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
