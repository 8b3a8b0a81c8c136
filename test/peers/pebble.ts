/**
 * Pebble, the ACME authority for tests, in strict mode. It validates by the DNS server that it is told, and it knows no
 * renewal information and no lifetime of its own choosing in the version that Debian 12 carries (2.4).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { type Peer, startPeer } from './peer.ts'
import { makeTlsFiles } from './tls-files.ts'

export interface Pebble extends Peer {
  /** `https://127.0.0.1:<port>/dir` */
  readonly directory_url: string
  /** PEM of the root that signed its own TLS certificate. */
  readonly ca_file: string
  /** The root that issued certificates lead to, PEM. Made anew at every start. @param number above 0: alternate roots */
  root(number?: number): Promise<string>
  /** What it says of a certificate: `Valid` or `Revoked`; null for one that it did not issue. @param serial hexadecimal */
  statusOf(serial: string): Promise<string | null>
}

export interface PebbleOptions {
  /** Where it looks up TXT records: `127.0.0.1:<port>`. */
  readonly dns_server: string
  /** Percent of good nonces that are refused; 5 is Pebble's own wont. */
  readonly nonce_reject?: number
  /** Percent of valid authorisations that come back in new orders. */
  readonly authz_reuse?: number
  /** Seconds that a validation sleeps at most; 0 for none. */
  readonly sleep_s?: number
  readonly alternate_roots?: number
  /** Base64url HMAC keys by key id. With any, an account needs one of them. */
  readonly external_accounts?: Readonly<Record<string, string>>
}

export const PEBBLE_PROGRAMS = ['pebble', 'openssl'] as const

export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  let agent = new Agent()
  const { peer, ports } = await startPeer({
    name: 'pebble',
    ports: 2,
    async prepare(directory, [port = 0, management_port = 0]) {
      const { ca_file, cert_file, key_file } = await makeTlsFiles(directory)
      await agent.close()
      agent = new Agent({ connect: { ca: readFileSync(ca_file, 'utf8') } })
      const config = join(directory, 'pebble.json')
      writeFileSync(config, settings({ port, management_port, cert_file, key_file }, options))
      return {
        program: 'env',
        args: [
          ...environment(options),
          'pebble',
          '-strict',
          '-config',
          config,
          '-dnsserver',
          options.dns_server,
        ],
        ready: async () => (await get(agent, `https://127.0.0.1:${port}/dir`)).status === 200,
      }
    },
  })
  const [port = 0, management_port = 0] = ports
  const managed = (path: string) => get(agent, `https://127.0.0.1:${management_port}${path}`)
  return {
    ...peer,
    directory_url: `https://127.0.0.1:${port}/dir`,
    ca_file: join(peer.directory, 'tls-ca.pem'),
    root: async (number = 0) => (await managed(`/roots/${number}`)).text,
    async statusOf(serial) {
      const { status, text } = await managed(`/cert-status-by-serial/${serial}`)
      return status === 200 ? (JSON.parse(text) as { Status: string }).Status : null
    },
    async stop() {
      await agent.close()
      await peer.stop()
    },
  }
}

function environment({
  nonce_reject = 5,
  authz_reuse = 50,
  sleep_s = 0,
  alternate_roots = 0,
}: PebbleOptions) {
  return [
    `PEBBLE_WFE_NONCEREJECT=${nonce_reject}`,
    `PEBBLE_AUTHZREUSE=${authz_reuse}`,
    sleep_s === 0 ? 'PEBBLE_VA_NOSLEEP=1' : `PEBBLE_VA_SLEEPTIME=${sleep_s}`,
    `PEBBLE_ALTERNATE_ROOTS=${alternate_roots}`,
  ]
}

interface Places {
  readonly port: number
  readonly management_port: number
  readonly cert_file: string
  readonly key_file: string
}

const settings = (places: Places, { external_accounts = {} }: PebbleOptions): string =>
  JSON.stringify({
    pebble: {
      listenAddress: `127.0.0.1:${places.port}`,
      managementListenAddress: `127.0.0.1:${places.management_port}`,
      certificate: places.cert_file,
      privateKey: places.key_file,
      // DNS-01 alone is used: nothing listens there.
      httpPort: 1,
      tlsPort: 1,
      ocspResponderURL: '',
      externalAccountBindingRequired: Object.keys(external_accounts).length > 0,
      externalAccountMACKeys: external_accounts,
    },
  })

async function get(dispatcher: Agent, url: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url, { dispatcher })
  return { status: statusCode, text: await body.text() }
}
