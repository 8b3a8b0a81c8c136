/** Faults of the house itself, of DNS as the world sees it, and of what others run and did. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { startSshd, type Sshd } from '../peers/sshd.ts'
import { drifts, type Fault, impaired, unknown } from './health-faults.ts'
import { OLD_IP, ZONE } from './health-peers.ts'
import type { HealthWorld } from './health-world.ts'

const HOUR_MS = 3_600_000
const APP = `app.${ZONE}`
const databaseOf = ({ paths }: HealthWorld): string => join(paths.data, 'plumbline.db')

/** Another process's connection. */
function bySql(statement: string, healing: string): Pick<Required<Fault>, 'break' | 'mend'> {
  const run = (world: HealthWorld, sql: string) => {
    const connection = new Database(databaseOf(world))
    connection.pragma('foreign_keys = OFF')
    connection.exec(sql)
    connection.close()
  }
  return { break: (world) => run(world, statement), mend: (world) => run(world, healing) }
}

function lockedByAnother(): Pick<Required<Fault>, 'break' | 'mend'> {
  let connection: InstanceType<typeof Database> | null = null
  return {
    break(world) {
      connection = new Database(databaseOf(world))
      connection.exec('BEGIN IMMEDIATE')
    },
    mend() {
      connection?.exec('ROLLBACK')
      connection?.close()
    },
  }
}

function anotherGateway(): Pick<Required<Fault>, 'break' | 'mend'> {
  let other: Sshd | null = null
  return {
    async break({ ways }) {
      other = await startSshd()
      ways.gateway.lead(other.port)
    },
    async mend({ ways }) {
      ways.gateway.lead(null)
      await other?.stop()
    },
  }
}

/** Whatever is compared with the database, or counted in it. */
const OF_THE_DATABASE = [
  'database',
  'journal',
  'proxy',
  'certificates',
  'acme',
  'sso_attachments',
  'sso_routes',
  'mail',
  'edges',
  'heartbeats',
  'ssh-host-keys',
  'credentials',
  'ddns',
  'dns:example.com',
  'cert:inside.example.com',
  'certificates-file',
  'people',
  'sso',
  'routes',
  'sso-proof',
  'ssh-gateway',
  'ssh-proxy',
  'ssh-proxy:known_hosts',
  'alerting:rules',
  'alerting:router',
  'alerting:template',
]

export const WORLD_FAULTS: readonly Fault[] = [
  {
    title: 'a stranger changed a record of ours',
    blames: { [`dns:${ZONE}`]: drifts('edited') },
    break: ({ dns }) => dns.put(ZONE, { name: APP, type: 'A', ttl: 300, values: ['192.0.2.66'] }),
  },
  {
    title: 'a stranger deleted a record of ours',
    blames: { [`dns:${ZONE}`]: drifts('lost') },
    // Whoever asks the authoritative servers before the page is made misses it, too.
    later: { dns_integrity: drifts('slow') },
    break: ({ dns }) => dns.take(ZONE, { name: APP, type: 'A' }),
  },
  {
    title: 'the authoritative servers are silent',
    blames: { dns_integrity: unknown() },
    async break(world) {
      world.name_server.be('silent')
      await world.pass(61_000)
      await world.untilNamed('dns_integrity', 'unreachable')
    },
    mend: ({ name_server }) => name_server.be('open'),
  },
  {
    title: `the authoritative servers show ${OLD_IP} for more than ten minutes`,
    blames: { dns_integrity: drifts('slow') },
    async break(world) {
      world.name_server.be('stale')
      await world.pass(61_000)
      await world.page()
      await world.leap(601_000)
    },
    mend: ({ name_server }) => name_server.be('open'),
  },
  {
    title: 'the proxy runs the routes of last week',
    blames: { proxy: drifts('not_loaded') },
    break: ({ traefik, older_routes }) => traefik.follow(older_routes),
    mend: ({ traefik, paths }) => traefik.follow(paths.routes),
  },
  {
    title: 'the proxy finds fault with a router of ours',
    blames: { proxy: drifts('rejected') },
    break: ({ traefik }) => {
      const router = traefik.running.http.routers.find(({ name }) => name.includes(APP))!
      Object.assign(router, { status: 'disabled', error: ['the service does not exist'] })
    },
    mend: ({ traefik }) => traefik.restart(new Date()),
  },
  {
    title: 'a protected route answers without signing in',
    blames: {
      'sso-proof': drifts('edited', 'refused'),
      sso_routes: drifts('answers_without_sign_in'),
    },
    later: { proxy: drifts('shadowed'), sso_attachments: drifts('proxy_differs') },
    async break(world) {
      world.proxy.clash.add(APP)
      for (let i = 0; i < 2; i++) {
        await world.pass(61_000)
        await world.page()
      }
    },
    mend: ({ proxy }) => proxy.clash.clear(),
  },
  {
    title: 'the proxy does not answer whoever wants to see that routes are closed',
    blames: { 'sso-proof': unknown('unreadable'), sso_routes: unknown('unreadable') },
    async break(world) {
      world.proxy.silent = true
      await world.pass(61_000)
      await world.untilNamed('sso_routes', 'unreadable')
    },
    mend: ({ proxy }) => void (proxy.silent = false),
  },
  {
    title: 'the grant of the mail provider was revoked',
    blames: { mail: impaired('needs_consent') },
    async break(world) {
      world.gmail.misbehave('token', { status: 400, reason: 'invalid_grant' }, { always: true })
      await world.leap(2 * HOUR_MS)
    },
    // What was refused is not tried again before a person says so.
    async mend({ gmail, at }) {
      gmail.misbehave('token', { status: 503, reason: 'backendError' })
      await at.call('POST', '/api/email/refresh-token')
      await at.call('POST', '/api/email/refresh-token')
    },
  },
  {
    title: 'the SSH gateway shows another host key',
    blames: { 'ssh-gateway': unknown('unreadable') },
    ...anotherGateway(),
  },
  {
    title: 'an edge has fallen silent',
    blames: { edges: impaired('offline') },
    async break(world) {
      world.edge_lives = false
      await world.leap(601_000)
    },
    mend: (world) => void (world.edge_lives = true),
  },
  {
    title: 'the file of the database was moved away',
    blames: { database: impaired('not_writable') },
    rules: 'unknown',
    break: (world) => renameSync(databaseOf(world), `${databaseOf(world)}.away`),
    mend: (world) => renameSync(`${databaseOf(world)}.away`, databaseOf(world)),
  },
  {
    title: 'the database fails at every call',
    // How far the world is, is compared with the database.
    blames: {
      ...Object.fromEntries(OF_THE_DATABASE.map((name) => [name, unknown()])),
      world: unknown('unreadable'),
    },
    later: { dns_integrity: unknown() },
    break: (world) => void (world.store_fails = true),
    mend: (world) => void (world.store_fails = false),
  },
  {
    title: 'another process holds the database',
    blames: { database: unknown() },
    ...lockedByAnother(),
  },
  {
    title: 'a rule of the database was broken beside the daemon',
    // The record is damaged, and with it what it stands for is not known.
    blames: Object.fromEntries(
      ['dns:example.com', 'sso', 'routes'].map((name) => [name, unknown('unreadable')]),
    ),
    rules: { names_unique_and_canonical: false, records_match_their_digests: false },
    ...bySql(
      `UPDATE domains SET domain = 'APP.${ZONE}' WHERE domain = '${APP}'`,
      `UPDATE domains SET domain = '${APP}' WHERE domain = 'APP.${ZONE}'`,
    ),
  },
  {
    title: 'a component is suspended',
    blames: { 'certificates-file': { drift: false, cause: null, reason: 'suspended' } },
    async break({ at, clock }) {
      const expires_at = new Date(clock.now() + HOUR_MS).toISOString()
      const body = { mode: 'suspend', reason: 'moving house', expires_at }
      const answer = await at.call('PUT', '/api/modes/certificates-file', { body })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    },
    mend: async ({ at }) => {
      await at.call('PUT', '/api/modes/certificates-file', { body: { mode: 'repair' } })
    },
  },
  {
    title: 'an edit waits for its deploy',
    blames: { routes: drifts('pending_deploy', 'pending_deploy') },
    break: async ({ at, app_id }) => {
      await at.call('PUT', `/api/domains/${app_id}`, { body: { backend_port: 9090 } })
    },
    mend: async ({ at, app_id }) => {
      await at.call('POST', `/api/domains/${app_id}/deploy`)
    },
  },
]
