/** An authority that validates by real DNS, a server that presents what the certificates file names, and a house between them. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext, createServer, type SecureContext } from 'node:tls'
import { yamlDocuments } from '../../src/io/yaml/documents.ts'
import { covers } from '../../src/model/network/certificate.ts'
import { PEBBLE_PROGRAMS, type Pebble, type PebbleOptions, startPebble } from '../peers/pebble.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { openTestHouse, type TestHouse, type TestHouseOptions } from './test-house.ts'

const [POWERDNS] = DNS_SOFTWARE

export const CERTIFICATE_PROGRAMS = [...POWERDNS!.programs, ...PEBBLE_PROGRAMS]

export interface CertificatesWorld {
  readonly dns: DnsWorld
  readonly pebble: Pebble
  /** Settings that make a house use both. */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function startWorld(
  zones: readonly string[],
  options: Partial<PebbleOptions> = {},
): Promise<CertificatesWorld> {
  const dns = await POWERDNS!.start(zones)
  try {
    const pebble = await startPebble({ dns_server: `127.0.0.1:${dns.dns_port}`, ...options })
    return {
      dns,
      pebble,
      env: {
        ...dns.env,
        PLUMBLINE_ACME_DIRECTORY: pebble.directory_url,
        PLUMBLINE_ACME_CA_FILE: pebble.ca_file,
      },
      async stop() {
        await pebble.stop()
        await dns.stop()
      },
    }
  } catch (error) {
    await dns.stop()
    throw error
  }
}

/** What stands at the names where challenges are answered. */
export const challengesIn = async (dns: DnsWorld, zone: string): Promise<readonly string[]> =>
  (await dns.records(zone))
    .filter(({ type, name }) => type === 'TXT' && name.startsWith('_acme-challenge'))
    .map(({ name }) => name)

export interface StandInProxy {
  /** For `PLUMBLINE_TLS_ADDRESS`. */
  readonly address: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Reads the file at each handshake, as the proxy does at each change of it. */
async function startProxy(file: () => string): Promise<StandInProxy> {
  const server = createServer({
    SNICallback: (name, done) => {
      try {
        done(null, contextFor(file(), name))
      } catch (error) {
        done(error as Error)
      }
    },
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    address: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function contextFor(file: string, name: string): SecureContext {
  for (const { cert, key } of pairsIn(file)) {
    const certificate = new X509Certificate(cert)
    const names = (certificate.subjectAltName ?? '').split(', ').map((entry) => entry.replace(/^DNS:/, ''))
    if (covers(names, name)) return createSecureContext({ cert, key })
  }
  throw new Error(`nothing for ${name}`)
}

/** Every certificate that the file names, with its key; throws where they do not belong together. */
export function pairsIn(file: string): readonly { readonly cert: string; readonly key: string }[] {
  const read = yamlDocuments.read(readFileSync(file, 'utf8'))
  if (!read.ok) throw new Error(read.msg)
  const data = read.data as {
    readonly tls?: { readonly certificates: readonly { certFile: string; keyFile: string }[] }
  } | null
  return (data?.tls?.certificates ?? []).map(({ certFile, keyFile }) => {
    const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
      throw new Error(`${keyFile} is not the key of ${certFile}`)
    return pair
  })
}

export interface Opened {
  readonly at: TestHouse
  readonly proxy: StandInProxy
  /** The certificates file. */
  readonly file: string
  [Symbol.asyncDispose](): Promise<void>
}

/** A house from an empty data directory, and a proxy that reads its file. */
export async function openBehindProxy(options: TestHouseOptions): Promise<Opened> {
  let file = ''
  const proxy = await startProxy(() => file)
  const at = await openTestHouse({
    ...options,
    env: { ...options.env, PLUMBLINE_TLS_ADDRESS: proxy.address },
  })
  file = join(at.directory, 'traefik', 'certificates.yml')
  return {
    at,
    proxy,
    file,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
}
