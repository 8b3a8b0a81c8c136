/** A dashboard over all that is real: a gateway behind sshd, the daemon, and Chromium; and a second one over a copy of its files. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetch } from 'undici'
import { pageEndpoints } from '../../src/features/vpn/page-endpoints.ts'
import { type Chromium, startChromium } from '../peers/chromium.ts'
import { makeSshKey } from '../peers/ssh-key.ts'
import { type Sshd, startSshd } from '../peers/sshd.ts'
import { newKeyPair, type KeyPair } from './vpn-keys.ts'
import { openTestHouse } from './test-house.ts'

export const HOSTILE = '<img src=x onerror=alert(1)>'

export interface DashboardWorld {
  /** Its base address, with a slash at the end. */
  readonly base: string
  /** The same below the main listener. */
  readonly mounted: string
  readonly chromium: Chromium
  /** Of the peer `laptop`, which has a preshared key. */
  readonly laptop: KeyPair
  close(): Promise<void>
}

export async function openDashboardWorld(): Promise<DashboardWorld> {
  const [sshd, chromium] = await Promise.all([startSshd(), startChromium()])
  const laptop = newKeyPair()
  const identity = await layGateway(sshd, laptop)
  const house = await openTestHouse({
    env: {
      PLUMBLINE_VPN_LISTEN: '127.0.0.1:0',
      UCG_SSH_KEY: identity,
      UCG_SSH_USER: sshd.user,
      UCG_UK_HOST: `127.0.0.1:${sshd.port}`,
      UCG_FR_HOST: 'none',
      UK_DNS_ENDPOINT: 'localhost',
    },
    opened: false,
  })
  const main = await house.house.open()
  return {
    base: `${house.house.companions()['vpn']!}/`,
    mounted: `${main}/companions/vpn/`,
    chromium,
    laptop,
    async close() {
      await chromium.stop()
      await house[Symbol.asyncDispose]()
      await sshd.stop()
    },
  }
}

/** A key that runs nothing but the export, as the printed line says. */
export async function layGateway({ directory, authorized_keys }: Sshd, laptop: KeyPair): Promise<string> {
  const peer = (name: string | null, at: number, public_key: string) => ({
    name,
    public_key,
    has_preshared_key: name === 'laptop',
    endpoint: null,
    allowed_ips: [`192.168.7.${at}/32`],
    latest_handshake: 0,
    transfer_rx: at * 1000,
    transfer_tx: 0,
    persistent_keepalive: 0,
  })
  const server = {
    name: 'wgsrv1',
    public_key: newKeyPair().public_key,
    listen_port: 51_820,
    addresses: ['192.168.7.1/24'],
    mtu: 1420,
    peers: [peer('laptop', 2, laptop.public_key), peer(HOSTILE, 3, newKeyPair().public_key)],
  }
  const file = join(directory, 'export.json')
  writeFileSync(file, JSON.stringify({ format: 'plumbline-wg/1', interfaces: [server] }))
  const identity = join(directory, 'vpn')
  await makeSshKey(identity)
  const key = readFileSync(`${identity}.pub`, 'utf8')
  writeFileSync(authorized_keys, `restrict,command="cat ${file}" ${key}`, { mode: 0o600 })
  return identity
}

export interface CopiedDashboard {
  readonly base: string
  readonly directory: string
  close(): Promise<void>
}

/** The dashboard as its endpoints serve it, from a copy that may be edited; whatever else is asked for, the real one answers. */
export async function copyDashboard(real: string): Promise<CopiedDashboard> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-pages-'))
  cpSync(new URL('../../src/features/vpn/pages/', import.meta.url), directory, { recursive: true })
  const pages = pageEndpoints((file) => readFile(join(directory, file)))
  const server = createServer((request, response) => {
    void answer(request.url ?? '/').then(({ status, headers, body }) =>
      response.writeHead(status, headers).end(body),
    )
  })
  async function answer(path: string): Promise<Answer> {
    const page = pages.find((one) => one.path === path)
    if (page === undefined) {
      const from = await fetch(new URL(path, real))
      return {
        status: from.status,
        headers: { 'content-type': from.headers.get('content-type') ?? 'text/plain' },
        body: Buffer.from(await from.arrayBuffer()),
      }
    }
    const { content_type } = page.replies[200] as unknown as { readonly content_type: string }
    const { status, headers, body } = (await page.handler({} as never)) as Answer
    return { status, headers: { ...headers, 'content-type': content_type }, body }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    directory,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}
