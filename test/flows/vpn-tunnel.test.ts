/** A real gateway: what its script exports becomes files that bring real tunnels up. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GATEWAY_SCRIPT } from '../../src/features/vpn/model/gateway-script.ts'
import { publicKeyOf } from '../../src/features/vpn/model/key.ts'
import { byTier } from '../kit/tier.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { runTool, until } from '../peers/peer.ts'
import { describePeers } from '../peers/peers.ts'
import {
  SERVER,
  SERVER_PORT,
  startWireguard,
  WIREGUARD_PROGRAMS,
  type WireguardGateway,
} from '../peers/wireguard.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'
import { newFolder } from '../kit/new-folder.ts'

const BASE = '/companions/vpn'
const QR_CODES = 5

const made = Array.from({ length: byTier(3, 20) }, (_, at) => {
  const private_key = randomBytes(32).toString('base64')
  return {
    private_key,
    public_key: publicKeyOf(private_key),
    preshared_key: at % 2 === 0 ? randomBytes(32).toString('base64') : null,
    addresses: at % 3 === 0 ? [`192.168.7.${at + 2}/32`, `fd07::${at + 2}/128`] : [`192.168.7.${at + 2}/32`],
  }
})

const serverConfig = (private_key: string) =>
  `[Interface]\nPrivateKey = ${private_key}\nListenPort = ${SERVER_PORT}\n` +
  made
    .map(
      ({ public_key, preshared_key, addresses }) =>
        `[Peer]\nPublicKey = ${public_key}\nAllowedIPs = ${addresses.join(', ')}\n` +
        (preshared_key === null ? '' : `PresharedKey = ${preshared_key}\n`),
    )
    .join('')

describePeers([...WIREGUARD_PROGRAMS, 'mawk', 'gawk', 'busybox', 'zbarimg'], 'a VPN gateway', () => {
  let gateway: WireguardGateway
  let house: TestHouse
  let server_private_key: string
  const folder = newFolder('vpn')

  beforeAll(async () => {
    gateway = await startWireguard()
    server_private_key = (await runTool('wg', ['genkey'])).trim()
    await gateway.setConfig(SERVER, serverConfig(server_private_key))
    await gateway.run('ip', 'address', 'add', '192.168.7.1/24', 'dev', SERVER)
    await gateway.run('ip', 'address', 'add', 'fd07::1/64', 'dev', SERVER)
    house = await openTestHouse({
      opened: false,
      env: {
        UCG_SSH_KEY: gateway.identity_file,
        UCG_SSH_USER: gateway.sshd.user,
        UCG_UK_HOST: `127.0.0.1:${gateway.sshd.port}`,
        UCG_UK_HOST_KEY: gateway.sshd.host_key,
        UCG_FR_HOST: 'none',
        UK_DNS_ENDPOINT: '127.0.0.1',
      },
    })
  })
  afterAll(async () => {
    await house?.[Symbol.asyncDispose]()
    await gateway?.stop()
  })

  const call = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await house.call(method, BASE + path, body === undefined ? {} : { body })
    return { ...answer, text: answer.body as unknown as string }
  }

  const qrBytes = async (body: unknown): Promise<Buffer> => {
    const request = new Request(`http://localhost${BASE}/api/render-qr`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': house.house.key.reveal() },
      body: JSON.stringify(body),
    })
    const answer = await house.house.app.request(request, undefined, { peer: '127.0.0.1' })
    expect(answer.headers.get('content-type')).toBe('image/png')
    return Buffer.from(await answer.arrayBuffer())
  }

  /** The order of peers is the one of a hash table. */
  const configured = async () => (await gateway.run('wg', 'showconf', SERVER)).trim().split('\n\n').toSorted()

  it('is read without a secret, with each awk that such machines have', async () => {
    const { body } = await call('GET', '/api/sites/uk')
    expect(body).toMatchObject({
      status: 'ok',
      interface: SERVER,
      wg_port: SERVER_PORT,
      peer_count: made.length,
      server_public_key: publicKeyOf(server_private_key),
      subnets: ['192.168.7.0/24', 'fd07::/64'],
      dropped_peers: 0,
      host_key: 'pinned',
    })
    const secrets = [server_private_key, ...made.flatMap(({ preshared_key }) => preshared_key ?? [])]
    const told: string[] = []
    for (const awk of ['/usr/bin/mawk', '/usr/bin/gawk', '/bin/busybox awk']) {
      const place = join(folder, awk.replaceAll(/\W/g, '-'))
      writeFileSync(place, GATEWAY_SCRIPT.replace('| awk -F', `| ${awk} -F`), { mode: 0o755 })
      const text = await gateway.run(place, 'wg', 'set', SERVER, 'listen-port', '1')
      const { interfaces } = JSON.parse(text) as { interfaces: { peers: { public_key: string }[] }[] }
      // Their order is the one of a hash table.
      for (const { peers } of interfaces) peers.sort((a, b) => (a.public_key < b.public_key ? -1 : 1))
      told.push(JSON.stringify(interfaces))
      for (const secret of secrets) expect(text).not.toContain(secret)
    }
    expect(new Set(told).size).toBe(1)
  })

  itInDepth('brings up a tunnel with each file, which its QR code says, too', async () => {
    await gateway.addInterface('device')
    for (const [at, { public_key, private_key, preshared_key }] of made.entries()) {
      const body = {
        site_id: 'uk',
        peer_pubkey: public_key,
        private_key,
        ...(preshared_key !== null && { preshared_key }),
      }
      const answer = await call('POST', '/api/render-config', body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      expect(answer.headers.get('x-plumbline-warning')).toBeNull()
      const file = join(folder, 'uk-device.conf')
      writeFileSync(file, answer.text, { mode: 0o600 })
      await gateway.setConfig('device', await runTool('wg-quick', ['strip', file]))
      await until(`a handshake with ${public_key}`, async () => {
        const lines = (await gateway.run('wg', 'show', SERVER, 'latest-handshakes')).split('\n')
        return lines.some((line) => line.startsWith(public_key) && !line.endsWith('\t0'))
      })
      // So many files a minute are made for one caller.
      if (at >= QR_CODES) continue
      const png = join(folder, 'qr.png')
      writeFileSync(png, await qrBytes(body))
      const read = execFileSync('zbarimg', ['--quiet', '--raw', '-Sbinary', png], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      expect(read.toString()).toBe(answer.text)
    }
    const { body } = await call('POST', '/api/sync', {})
    expect(body).toMatchObject({ success: true })
    const clients = (await call('GET', '/api/clients?site=uk')).body as unknown as readonly {
      online: boolean
    }[]
    expect(clients.every(({ online }) => online)).toBe(true)
  })

  itInDepth(
    'a file with a text in the place of its key is refused by wg, a foreign key is warned of',
    async () => {
      const { public_key } = made[1]!
      const other = made[2]!
      const url = public_key.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
      const placeholder = await call('GET', `/api/clients/uk/${url}/config`)
      await expect(
        gateway.setConfig('device', placeholder.text.replace(/^(?:Address|DNS|MTU).*\n/gm, '')),
      ).rejects.toThrow(/Key is not the correct length or format: `REPLACE_WITH_PRIVATE_KEY'/)
      const foreign = { site_id: 'uk', peer_pubkey: public_key, private_key: other.private_key }
      const answer = await call('POST', '/api/render-config', foreign)
      expect([answer.status, answer.headers.get('x-plumbline-warning')]).toEqual([
        200,
        'private_key_mismatch',
      ])
      expect(answer.text).toContain(other.private_key)
    },
  )

  itOneIn(6).each(['rm -rf /tmp/x', '$(id)', 'export; wg set wgsrv1 listen-port 1', "'", '\\', ''])(
    'answers %j with the export, and changes nothing',
    async (command) => {
      const before = await configured()
      const answer = await gateway.sshd.logIn(gateway.identity_file, [command])
      expect(JSON.parse(answer!)).toMatchObject({ format: 'plumbline-wg/1' })
      expect(await configured()).toEqual(before)
    },
  )

  itInDepth('that has another server key says so until somebody looks, and each file with it', async () => {
    const next = (await runTool('wg', ['genkey'])).trim()
    await gateway.setConfig(SERVER, serverConfig(next))
    await until('a second sync', async () => (await call('POST', '/api/sync', {})).status === 200)
    const { body } = await call('GET', '/api/sites/uk')
    expect(body).toMatchObject({
      server_public_key: publicKeyOf(next),
      replaced_server_key: { public_key: publicKeyOf(server_private_key) },
    })
    const { public_key, private_key } = made[1]!
    const answer = await call('POST', '/api/render-config', {
      site_id: 'uk',
      peer_pubkey: public_key,
      private_key,
    })
    expect(answer.headers.get('x-plumbline-warning')).toBe('server_key_changed')
  })
})
