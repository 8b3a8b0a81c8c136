/** A private key that went through every path of a daemon: afterwards it is in no log, no file, no kept answer and nowhere in its heap. */
import { randomBytes } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { publicKeyOf, urlSpelling } from '../../src/features/vpn/model/key.ts'
import { freePort } from '../kit/ports.ts'
import { makeSshKey } from '../peers/ssh-key.ts'
import { describePeers } from '../peers/peers.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { type Running, start } from './command.ts'
import { newFolder } from '../kit/new-folder.ts'

/** Without a sign that a path, a JSON text or a snapshot would write otherwise. */
const plain = (): string => {
  for (;;) {
    const key = randomBytes(32).toString('base64')
    if (/^[A-Za-z0-9]{43}=$/.test(key)) return key
  }
}
const private_key = plain()
const preshared_key = plain()
const public_key = publicKeyOf(private_key)
const server_key = publicKeyOf(randomBytes(32).toString('base64'))
/** Also of what was cut in two. */
const partsOf = (key: string): readonly string[] => [key.slice(0, 24), key.slice(19, 43)]
const SECRETS = [...partsOf(private_key), ...partsOf(preshared_key)]

describePeers(SSHD_PROGRAMS, 'a private key', () => {
  let sshd: Sshd
  let daemon: Running
  let origin: string
  const folder = newFolder('canary')
  const data = join(folder, 'data')
  const snapshots = join(folder, 'snapshots')

  beforeAll(async () => {
    sshd = await startSshd()
    const identity_file = join(sshd.directory, 'vpn')
    await makeSshKey(identity_file)
    const answer = join(sshd.directory, 'export')
    writeFileSync(answer, JSON.stringify(EXPORT))
    const line = `restrict,command="cat ${answer}" ${readFileSync(`${identity_file}.pub`, 'utf8')}`
    writeFileSync(sshd.authorized_keys, line, { mode: 0o600 })
    mkdirSync(snapshots)
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    daemon = start(['serve'], {
      PLUMBLINE_DATA_DIR: data,
      PLUMBLINE_LISTEN: `127.0.0.1:${port}`,
      PLUMBLINE_DNS_PROVIDER: 'none',
      PLUMBLINE_LOG_LEVEL: 'debug',
      UCG_SSH_KEY: identity_file,
      UCG_SSH_USER: sshd.user,
      UCG_UK_HOST: `127.0.0.1:${sshd.port}`,
      UCG_FR_HOST: 'none',
      UK_DNS_ENDPOINT: 'localhost',
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${snapshots}`,
    })
    await daemon.saw('"listening"')
  })
  afterAll(async () => {
    await daemon?.stop('SIGKILL')
    await sshd?.stop()
  })

  it('is used and forgotten', { timeout: 300_000 }, async () => {
    const key = readFileSync(join(data, 'api-key'), 'utf8').trim()
    const call = async (method: 'GET' | 'POST', path: string, body?: unknown, type = 'application/json') => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await request(`${origin}/companions/vpn${path}`, {
        method,
        headers: {
          'x-api-key': key,
          'idempotency-key': 'the-same',
          ...(body !== undefined && { 'content-type': type }),
        },
        ...(body !== undefined && { body: text }),
      })
      return { status: answer.statusCode, text: await answer.body.text() }
    }
    const body = (over: Readonly<Record<string, unknown>> = {}) => ({
      site_id: 'uk',
      peer_pubkey: public_key,
      private_key,
      preshared_key,
      ...over,
    })
    const own = `/api/clients/uk/${urlSpelling(public_key)}`
    expect((await call('GET', `${own}/config`)).status).toBe(200)
    const rendered = await call('POST', '/api/render-config', body())
    expect(rendered).toMatchObject({ status: 200, text: expect.stringContaining(private_key) as string })
    expect(rendered.text).toContain(preshared_key)
    expect((await call('POST', '/api/render-qr', body())).status).toBe(200)
    const refused: readonly (readonly [string, unknown, string?])[] = [
      ['/api/render-config', body({ private_key: private_key.slice(0, 43) })],
      ['/api/render-config', body({ private_key: `${private_key}\n` })],
      ['/api/render-config', body({ private_key: [private_key] })],
      ['/api/render-config', body({ site_id: private_key })],
      ['/api/render-config', body({ site_id: 'fr' })],
      ['/api/render-config', body({ allowed_ips: private_key })],
      ['/api/render-config', body({ peer_pubkey: private_key })],
      ['/api/render-config', body({ [private_key]: 1 })],
      ['/api/render-config', `{"private_key":"${private_key}"`],
      ['/api/render-config', private_key],
      ['/api/render-config', `private_key=${private_key}`, 'application/x-www-form-urlencoded'],
      ['/api/render-qr', body({ preshared_key: preshared_key.slice(1) })],
      ['/api/render-qr', body({ allowed_ips: LONG })],
      ['/api/nothing', body()],
      [`/api/render-config?private_key=${private_key}`, body()],
      [`/api/clients/uk/${private_key}/config`, body()],
    ]
    for (const [path, given, type] of refused)
      expect((await call('POST', path, given, type)).status, path).toBeGreaterThanOrEqual(400)
    expect((await call('GET', `/api/clients/uk/${private_key}/qr`)).status).toBe(404)
    // What somebody pasted into a path is known to the router until the next such path, as the last message is to its parser.
    for (const what of ['config', 'qr']) expect((await call('GET', `${own}/${what}`)).status).toBe(200)
    for (let n = 0; n < 20; n++) expect((await call('GET', '/api/sites')).status).toBe(200)

    daemon.signal('SIGUSR2')
    const snapshot = await written(snapshots)
    expect(await countIn(snapshot, [public_key, server_key])).not.toContain(0)
    expect(await countIn(snapshot, SECRETS)).toEqual(SECRETS.map(() => 0))
    const { code, out, err } = await daemon.stop()
    expect(code).toBe(0)
    for (const secret of SECRETS) expect(`${out}${err}`.includes(secret)).toBe(false)
    for (const file of filesIn(data)) expect(await countIn(file, SECRETS), file).toEqual(SECRETS.map(() => 0))
  })
})

const EXPORT = {
  format: 'plumbline-wg/1',
  interfaces: [
    {
      name: 'wg0',
      public_key: server_key,
      listen_port: 51820,
      addresses: ['10.7.0.1/24'],
      mtu: 1420,
      peers: [
        {
          name: 'phone',
          public_key,
          has_preshared_key: true,
          endpoint: null,
          allowed_ips: ['10.7.0.2/32'],
          latest_handshake: 0,
          transfer_rx: 0,
          transfer_tx: 0,
          persistent_keepalive: 0,
        },
      ],
    },
  ],
}

/** A file with so many networks has no QR code. */
const LONG = Array.from({ length: 200 }, (_, at) => `10.${at}.17.0/24`).join(',')

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

/** Once it is whole: a snapshot is one JSON object. */
async function written(folder: string): Promise<string> {
  let path = ''
  const isWhole = () => {
    const [name] = readdirSync(folder)
    path = join(folder, name ?? '')
    return name !== undefined && readFileSync(path).subarray(-2).toString().trimEnd().endsWith('}')
  }
  await expect.poll(isWhole, { timeout: 120_000, interval: 500 }).toBe(true)
  return path
}

/** How often each text is there. */
async function countIn(path: string, texts: readonly string[]): Promise<readonly number[]> {
  const counts = texts.map(() => 0)
  const most = Math.max(...texts.map(({ length }) => length))
  let tail = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    const text: string = tail + chunk
    for (const [n, one] of texts.entries()) counts[n]! += text.split(one).length - 1
    // Less than the shortest of them, so none is counted twice.
    tail = text.slice(1 - most)
  }
  return counts
}
