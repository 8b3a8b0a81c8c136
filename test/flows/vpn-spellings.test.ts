/** Two hundred peers whose keys hold a slash, over the API and in every spelling; and no other path that takes one. */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { publicKeyOf } from '../../src/features/vpn/model/key.ts'
import { sample } from '../kit/tier.ts'
import { makeSshKey } from '../peers/ssh-key.ts'
import { describePeers } from '../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

const BASE = '/companions/vpn'
const COUNT = 200

/** Half of them hold a plus beside the slash, and some begin or end with one of the two. */
function keysWithSlash(): readonly string[] {
  const keys = new Set<string>()
  while (keys.size < COUNT) {
    const key = publicKeyOf(randomBytes(32).toString('base64'))
    if (key.includes('/') && (keys.size % 2 === 0 || key.includes('+'))) keys.add(key)
  }
  return [...keys]
}

/** As links, curl, scripts and people write it. */
const spellingsOf = (key: string): readonly string[] => {
  const url = key.replaceAll('+', '-').replaceAll('/', '_')
  return [
    url.replace('=', ''),
    url,
    url.replace('=', '%3D'),
    encodeURIComponent(key),
    encodeURIComponent(key).replaceAll('%2F', '%2f').replaceAll('%2B', '%2b').replaceAll('%3D', '%3d'),
    key.replaceAll('/', '%2F'),
    key.replaceAll('/', '%2F').replaceAll('+', '%2B'),
    key.replaceAll('/', '%2F').replaceAll('=', ''),
  ]
}

describePeers(SSHD_PROGRAMS, 'two hundred keys with a slash', () => {
  let sshd: Sshd
  let house: TestHouse
  const keys = keysWithSlash()

  beforeAll(async () => {
    sshd = await startSshd()
    const identity_file = join(sshd.directory, 'vpn')
    await makeSshKey(identity_file)
    const answer = join(sshd.directory, 'export')
    const peers = keys.map((public_key, at) => ({
      name: `device-${at}`,
      public_key,
      has_preshared_key: false,
      endpoint: null,
      allowed_ips: [`10.7.${at >> 7}.${at & 127}/32`],
      latest_handshake: 0,
      transfer_rx: 0,
      transfer_tx: 0,
      persistent_keepalive: 0,
    }))
    const server = publicKeyOf(randomBytes(32).toString('base64'))
    const shown = {
      name: 'wg0',
      public_key: server,
      listen_port: 51820,
      addresses: ['10.7.0.254/16'],
      mtu: 1420,
    }
    writeFileSync(answer, JSON.stringify({ format: 'plumbline-wg/1', interfaces: [{ ...shown, peers }] }))
    const line = `restrict,command="cat ${answer}" ${readFileSync(`${identity_file}.pub`, 'utf8')}`
    writeFileSync(sshd.authorized_keys, line, { mode: 0o600 })
    house = await openTestHouse({
      opened: false,
      env: {
        UCG_SSH_KEY: identity_file,
        UCG_SSH_USER: sshd.user,
        UCG_UK_HOST: `127.0.0.1:${sshd.port}`,
        UCG_FR_HOST: 'none',
        UK_DNS_ENDPOINT: 'localhost',
      },
    })
  })
  afterAll(async () => {
    await house?.[Symbol.asyncDispose]()
    await sshd?.stop()
  })

  it('are each found by every spelling, and by the link that the list gives', async () => {
    const { body } = await house.call('GET', `${BASE}/api/clients?site=uk`)
    const clients = body as unknown as readonly Readonly<
      Record<'public_key' | 'config_url' | 'name', string>
    >[]
    expect(clients.map(({ public_key }) => public_key).toSorted()).toEqual(keys.toSorted())
    const wrong: string[] = []
    for (const [at, { public_key, config_url, name }] of sample([...clients.entries()], 10)) {
      const paths = spellingsOf(public_key).map((spelling) => `api/clients/uk/${spelling}/config`)
      for (const path of [...paths, config_url]) {
        // So many files a minute are made for one caller, and more are wanted here.
        const answer = await house.call('GET', `${BASE}/${path}`, { peer: `127.1.1.${at}` })
        const file = answer.headers.get('content-disposition')
        if (answer.status !== 200 || file !== `attachment; filename="uk-${name}.conf"`)
          wrong.push(`${answer.status} ${path}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('are keys at those two paths alone: every other one refuses an encoded slash wherever it stands', async () => {
    const paths = await documentedPaths()
    expect(paths.length).toBeGreaterThan(100)
    const takes: string[] = []
    for (const path of paths) {
      const segments = path.replaceAll(/\{[^}]+\}/g, 'x').split('/')
      for (let at = 1; at < segments.length; at++)
        for (const slash of sample(['%2F', '%2f'], 2)) {
          const asked = segments.map((segment, n) => (n === at ? `${segment}${slash}y` : segment)).join('/')
          const { status } = await house.call('GET', asked)
          if (status !== 400) takes.push(`${status} ${path.split('/')[at]} of ${path}`)
        }
    }
    const own = ['config', 'qr'].map(
      (what) => `404 {pubkey} of ${BASE}/api/clients/{site_id}/{pubkey}/${what}`,
    )
    expect([...new Set(takes)].toSorted()).toEqual(own)
  })

  /** Of the main service and of each companion. */
  async function documentedPaths(): Promise<readonly string[]> {
    const bases = [
      '',
      BASE,
      ...['ddns', 'inventory', 'network', 'users'].map((name) => `/companions/${name}`),
    ]
    const lists = await Promise.all(
      bases.map(async (base) => {
        const { status, body } = await house.call('GET', `${base}/openapi.json`)
        if (status !== 200) return []
        const { paths } = body as unknown as { readonly paths: Readonly<Record<string, unknown>> }
        return Object.keys(paths).map((path) => (path.startsWith(base) ? path : base + path))
      }),
    )
    return [...new Set(lists.flat())]
  }
})
