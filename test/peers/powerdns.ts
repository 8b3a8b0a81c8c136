/** PowerDNS Authoritative with SQLite: its HTTP API, its DNS port, and dynamic updates where keys are given. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { request } from 'undici'
import type { TsigKey } from './dig.ts'
import { type Peer, runTool, startPeer } from './peer.ts'

export interface PowerDns extends Peer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly api_key: string
  readonly dns_port: number
  /** Calls the API as a stranger would. Throws on anything but 2xx. @param path below `/api/v1/servers/localhost`. */
  api(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, json?: unknown): Promise<unknown>
  /** A new zone with one name server, and with every key allowed to update and to transfer it. */
  addZone(zone: string, fields?: Readonly<Record<string, unknown>>): Promise<void>
  /** Its command-line tool, which writes to the database past the server. */
  util(...args: readonly string[]): Promise<string>
  /** What is written so moves no serial. */
  sql(statement: string): Promise<string>
  /** The same without a process, and without an answer. */
  write(statements: string): Promise<void>
  /** From now on its database takes no record of this name, so that the server answers that it failed. */
  failAt(name: string): Promise<void>
}

export interface PowerDnsOptions {
  /** Takes dynamic updates signed with these. */
  readonly keys?: readonly TsigKey[]
}

export const POWERDNS_PROGRAMS = ['pdns_server', 'pdnsutil', 'sqlite3', 'dig'] as const

const SCHEMAS = [
  '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql',
  '/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql',
  '/usr/share/doc/pdns/schema.sqlite3.sql',
]

export async function startPowerDns({ keys = [] }: PowerDnsOptions = {}): Promise<PowerDns> {
  const api_key = 'key-of-the-test-server'
  const { peer, ports } = await startPeer({
    name: 'powerdns',
    ports: 2,
    async prepare(directory, [dns_port = 0, http_port = 0]) {
      const database = join(directory, 'zones.db')
      inDatabase(database, (zones) => zones.exec(readFileSync(schemaFile(), 'utf8')))
      mkdirSync(join(directory, 'sockets'))
      writeFileSync(
        join(directory, 'pdns.conf'),
        settings({ directory, database, dns_port, http_port, api_key }),
      )
      for (const { name, algorithm, secret } of keys)
        await runTool('pdnsutil', [`--config-dir=${directory}`, 'import-tsig-key', name, algorithm, secret])
      return {
        program: 'pdns_server',
        args: [`--config-dir=${directory}`, '--daemon=no', '--guardian=no', '--disable-syslog'],
        ready: async () => (await call(http_port, api_key, 'GET', '')) !== undefined,
      }
    },
  })
  const [dns_port = 0, http_port = 0] = ports
  const util = (...args: readonly string[]) =>
    runTool('pdnsutil', [`--config-dir=${peer.directory}`, ...args])
  const database = join(peer.directory, 'zones.db')
  const sql = (statement: string) => runTool('sqlite3', ['-cmd', '.timeout 5000', database, statement])
  const write = async (statements: string) => inDatabase(database, (zones) => zones.exec(statements))
  const api: PowerDns['api'] = (method, path, json) => call(http_port, api_key, method, path, json)
  return {
    ...peer,
    origin: `http://127.0.0.1:${http_port}`,
    api_key,
    dns_port,
    api,
    util,
    sql,
    write,
    failAt: (name) => write(denying(name)),
    async addZone(zone, fields = {}) {
      const name = `${zone}.`
      await api('POST', '/zones', {
        name,
        kind: 'Native',
        nameservers: ['ns1.servers.test.'],
        soa_edit_api: 'DEFAULT',
        ...fields,
      })
      if (keys.length > 0) await write(keyRights(zone, keys))
    },
  }
}

function inDatabase(path: string, work: (zones: Database.Database) => unknown): void {
  const zones = new Database(path, { timeout: 5000 })
  try {
    work(zones)
  } finally {
    zones.close()
  }
}

const denying = (name: string): string =>
  `CREATE TRIGGER "deny ${name}" BEFORE INSERT ON records WHEN NEW.name = '${name}' BEGIN SELECT RAISE(ABORT, 'no'); END`

/** What `pdnsutil set-meta` writes, in one call instead of one a kind. */
const keyRights = (zone: string, keys: readonly TsigKey[]): string =>
  ['TSIG-ALLOW-DNSUPDATE', 'TSIG-ALLOW-AXFR']
    .flatMap((kind) =>
      keys.map((key) => `(SELECT id FROM domains WHERE name = '${zone}'), '${kind}', '${key.name}'`),
    )
    .map((values) => `INSERT INTO domainmetadata (domain_id, kind, content) SELECT ${values};`)
    .join(' ')

function schemaFile(): string {
  for (const path of SCHEMAS) {
    try {
      readFileSync(path)
      return path
    } catch {
      continue
    }
  }
  throw new Error(`the schema of pdns-backend-sqlite3 is in none of ${SCHEMAS.join(', ')}`)
}

interface Settings {
  readonly directory: string
  readonly database: string
  readonly dns_port: number
  readonly http_port: number
  readonly api_key: string
}

/** No caches, so that a change shows at once; no look-up to the outside. */
const settings = ({ directory, database, dns_port, http_port, api_key }: Settings): string =>
  `launch=gsqlite3
gsqlite3-database=${database}
gsqlite3-pragma-synchronous=0
local-address=127.0.0.1
local-port=${dns_port}
socket-dir=${join(directory, 'sockets')}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${http_port}
webserver-allow-from=127.0.0.1
api=yes
api-key=${api_key}
security-poll-suffix=
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
zone-cache-refresh-interval=0
receiver-threads=1
distributor-threads=1
allow-axfr-ips=127.0.0.0/8
dnsupdate=yes
allow-dnsupdate-from=127.0.0.0/8
`

/** Two who change it at the same moment: its database turns the later one away, and it answers 500. */
const TRIES_AT_500 = 5
const PAUSE_MS = 200

async function call(
  port: number,
  key: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  json?: unknown,
): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/v1/servers/localhost${path}`, {
      method,
      headers: { 'x-api-key': key, accept: 'application/json', 'content-type': 'application/json' },
      body: json === undefined ? null : JSON.stringify(json),
    })
    const text = await body.text()
    if (statusCode >= 200 && statusCode <= 299) return text === '' ? null : (JSON.parse(text) as unknown)
    if (statusCode !== 500 || tries === TRIES_AT_500)
      throw new Error(`PowerDNS: ${method} ${path}: ${statusCode} ${text}`)
    await pause(PAUSE_MS)
  }
}
