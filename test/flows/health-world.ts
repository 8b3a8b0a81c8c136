/** One whole house with everything configured, its health page, and proof that nothing was written while it was asked. */
import { copyFileSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { HealthAnswer, PresentedComponent } from '../../src/features/health/read-health.ts'
import { Failure } from '../../src/kernel/failure.ts'
import type { HealthReason } from '../../src/model/health.ts'
import type { RecordSet } from '../../src/ports/record-set.ts'
import type { Store } from '../../src/ports/store.ts'
import { measureLateness } from '../kit/lateness.ts'
import { digShort } from '../peers/dig.ts'
import { type HealthPeers, newPublicKey, startHealthPeers, ZONE } from './health-peers.ts'
import { type PassingClock, passingClock } from './passing-clock.ts'
import { createActive, openTestHouse, type TestHouse } from './test-house.ts'

export interface HealthWorld extends HealthPeers {
  readonly at: TestHouse
  readonly clock: PassingClock
  readonly app_id: number
  /** While true, an edge is heard of whenever time passes. */
  edge_lives: boolean
  /** While true, every call of the store fails. */
  store_fails: boolean
  page(probe?: boolean): Promise<TimedPage>
  mode(mode: 'observe' | 'repair'): Promise<void>
  /** The routes file of the first release. */
  readonly older_routes: string
  /** Asks again until the part is not as it should be for this reason. */
  untilNamed(name: string, reason: HealthReason): Promise<void>
  /** Lets so much time pass, as if nobody had looked meanwhile. */
  pass(ms: number): Promise<void>
  /** The same when no look is under way, which would be late at once. */
  leap(ms: number): Promise<void>
  /** What would have changed if anything had been written outside. */
  outside(): Promise<string>
  /** Looks on, by rounds and the engine's own attempts alone, until all is well. */
  expectGreen(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface TimedPage extends HealthAnswer {
  /** On the clock of the house, without what a busy machine kept this process waiting. */
  readonly took_ms: number
}

/**
 * Real logins and handshakes are slow on a busy machine, and say nothing of the bounds that the page keeps. Its looks (1.5 s)
 * still end before the deadlines of 5 s that clients have of their own.
 */
export const STRETCH = 3

const PAGE = '/api/control-plane/health'
/** Every check is due again by then that found something wrong. */
const ROUND_MS = 61_000
const PATIENCE = { interval: 50 } as const
/** So many questions wait for the first round, twice as many for the next, until a busy machine has the time it needs. */
const [FIRST_ROUND, MAX_ROUND] = [4, 16]

/** What is not as it should be, by name. */
export const troubled = ({ components }: HealthAnswer): readonly PresentedComponent[] =>
  components.filter(({ configured, ok, drift }) => configured && !(ok && drift === false))

export async function openHealthWorld(): Promise<HealthWorld> {
  const peers = await startHealthPeers()
  const clock = passingClock(STRETCH)
  const mood = { store_fails: false, edge_lives: true }
  const failing = <T extends object>(real: T): T =>
    new Proxy(real, {
      get: (_real, name) => {
        const value = Reflect.get(real, name) as unknown
        if (!mood.store_fails || typeof value !== 'function' || name === 'close') return value
        if (name === 'of') return (set: RecordSet) => failing((value as Store['of'])(set))
        return () => Promise.reject(new Failure('store_unavailable', 'the disk is gone'))
      },
    })
  const at = await openTestHouse({
    directory: peers.paths.data,
    env: peers.env,
    clock,
    wrap: { store: failing<Store> },
  })
  const older_routes = join(peers.paths.folder, 'older.yml')
  const app_id = await settle(at, peers, older_routes)
  const heartbeat = await edgeOf(at)
  const world: HealthWorld = Object.assign(mood, peers, {
    at,
    clock,
    app_id,
    older_routes,
    async untilNamed(name: string, reason: HealthReason) {
      const seen = async () => troubled(await world.page()).find((one) => one.name === name)?.reason
      await expect.poll(seen, PATIENCE).toBe(reason)
    },
    async page(probe = true) {
      const began_ms = clock.elapsed()
      const lateness = measureLateness()
      const { status, body } = await at.call('GET', `${PAGE}${probe ? '?probe=true' : ''}`)
      const took_ms = clock.elapsed() - began_ms - lateness() / STRETCH
      expect(status, JSON.stringify(body)).toBe(200)
      return { ...(body as unknown as HealthAnswer), took_ms }
    },
    async mode(mode: 'observe' | 'repair') {
      const { status, body } = await at.call('PUT', '/api/modes/*', { body: { mode } })
      expect(status, JSON.stringify(body)).toBe(200)
    },
    async pass(ms: number) {
      clock.pass(ms)
      if (mood.edge_lives) await heartbeat()
    },
    async leap(ms: number) {
      await world.page()
      await world.pass(ms)
    },
    outside: () => outsideOf(peers),
    async expectGreen() {
      let [asked, due, gap] = [0, 0, FIRST_ROUND]
      const summary = async () => {
        // Whoever looks by the clock gets a moment before the next round is due.
        if (asked++ === due) {
          await world.pass(ROUND_MS)
          due += gap
          gap = Math.min(2 * gap, MAX_ROUND)
        }
        return (await world.page(false)).summary
      }
      await expect.poll(summary, PATIENCE).toMatch(/^All \d+ things are as they should be\.$/)
    },
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await peers.stop()
    },
  })
  return world
}

/** A protected public name, an internal one with a certificate of ours, a person, and somebody at the SSH gateway. */
async function settle({ call }: TestHouse, { paths }: HealthPeers, older_routes: string): Promise<number> {
  const app_id = await createActive(call, { domain: `app.${ZONE}` })
  copyFileSync(paths.routes, older_routes)
  await createActive(call, { domain: `inside.${ZONE}`, service_type: 'internal', auth_required: false })
  const invited = await call('POST', '/api/users/invite', {
    body: { display_name: 'Jo Doe', email: 'jo@example.net', groups: ['family'] },
  })
  expect(invited.status, JSON.stringify(invited.body)).toBe(201)
  await call('POST', '/api/users/invite', {
    body: { display_name: 'Al Gone', email: 'al@example.net', groups: ['family'] },
  })
  const revoked = await call('POST', '/api/users/al.gone/revoke')
  expect(revoked.status, JSON.stringify(revoked.body)).toBe(200)
  const public_key = await newPublicKey(paths.folder, 'alice')
  const added = await call('POST', '/api/ssh-clients', { body: { public_key } })
  expect(added.status, JSON.stringify(added.body)).toBe(200)
  return app_id
}

async function edgeOf({ call }: TestHouse): Promise<() => Promise<void>> {
  const answer = await call('POST', '/api/ccm/edge/edges', { body: { name: 'fra1' } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const { edge, token } = answer.body as unknown as { edge: { id: number }; token: string }
  const heartbeat = async () => {
    await call('GET', `/api/ccm/edge/edges/${edge.id}/routes`, {
      key: null,
      peer: '203.0.113.9',
      headers: { authorization: `Bearer ${token}` },
    })
  }
  await heartbeat()
  return heartbeat
}

/** Bytes and stamps of every file outside the database, and what each server was made to keep. */
async function outsideOf({ paths, dns, pebble, gmail, docker, unifi, proxmox, authelia }: HealthPeers) {
  const { routes, certificates, rules, users, authorized_keys, resolver, acme } = paths
  const files = [routes, certificates, rules, users, authorized_keys, resolver, acme]
  const folder = join(paths.data, 'certificates')
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const asked = [...docker.asked, ...unifi.asked, ...proxmox.asked]
  return JSON.stringify({
    files: [...files, ...inside.map((name) => join(folder, name))].map((path) => [path, stampOf(path)]),
    records: await dns.records(ZONE),
    serial: await digShort(dns.dns_port, ZONE, 'SOA'),
    orders: pebble.log().match(/POST \/order/g)?.length ?? 0,
    mails: gmail.taken.length,
    sent: gmail.calls.filter((call) => call.endsWith('/messages/send')).length,
    restarts: authelia.restarts,
    written: asked.filter((line) => !line.startsWith('GET ') && !line.endsWith('/stat/alluser')),
  })
}

function stampOf(path: string): unknown {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  return [found.ino, found.mtimeMs, found.mode, found.isFile() ? readFileSync(path, 'latin1') : 'folder']
}
