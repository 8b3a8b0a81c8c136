/**
 * What callers meet while something outside takes connections and never answers: every GET of the API has an answer in time,
 * a deploy has one within ten seconds, nothing unknown is called clean, and all is true again by itself afterwards.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import type { Answered } from './client.ts'
import { HEALTH_PROGRAMS, newPublicKey, type WayName, ZONE } from './health-peers.ts'
import { type HealthWorld, openHealthWorld, STRETCH } from './health-world.ts'

/**
 * A read takes five seconds at most, and a call goes on as an operation after ten; the rest is for a busy machine. Waits as
 * long as these are real, while the house's clock runs slower.
 */
const READ_MS = (5000 + 20_000) / STRETCH
const CALL_MS = (10_000 + 20_000) / STRETCH
const PATIENCE = { timeout: 60_000, interval: 200 } as const

const HANGING: readonly WayName[] = ['powerdns', 'gateway', 'provider', 'proxy', 'mail', 'docker', 'unifi']

const MOVED = '203.0.113.77'

interface Write {
  ask(world: HealthWorld): Promise<Answered>
  isThere(world: HealthWorld): Promise<boolean>
}

const WRITES: Partial<Readonly<Record<WayName, Write>>> = {
  powerdns: {
    // A new name would be refused: nobody can say whether it is free.
    async ask({ at: { call }, app_id }) {
      await call('PUT', `/api/domains/${app_id}`, { body: { static_ip: MOVED } })
      return call('POST', `/api/domains/${app_id}/deploy`)
    },
    isThere: async ({ dns }) => (await dns.dig(`app.${ZONE}`, 'A')).includes(MOVED),
  },
  gateway: {
    async ask({ at: { call }, paths }) {
      const public_key = await newPublicKey(paths.folder, 'late')
      return call('POST', '/api/ssh-clients', { body: { public_key } })
    },
    isThere: async ({ paths }) => readFileSync(paths.authorized_keys, 'utf8').includes('late@laptop'),
  },
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

describePeers(HEALTH_PROGRAMS, 'a house with everything configured, of which something hangs', () => {
  let world: HealthWorld
  let paths: readonly string[]
  beforeAll(async () => {
    world = await openHealthWorld()
    paths = await everyGet(world)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const timed = async <T>(work: () => Promise<T>) => {
    const began_ms = world.clock.elapsed()
    return { answer: await work(), took_ms: world.clock.elapsed() - began_ms }
  }

  const ask = async (path: string) => {
    const { house } = world.at
    const request = new Request(`http://localhost${path}`, { headers: { 'x-api-key': house.key.reveal() } })
    const response = await house.app.request(request, undefined, { peer: '127.0.0.1' })
    // A stream of events has no end.
    const is_stream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const text = is_stream ? '' : await response.text()
    if (is_stream) await response.body!.cancel()
    return { status: response.status, text }
  }

  it.each(HANGING)('%s', { timeout: 300_000 }, async (way) => {
    await world.expectGreen()
    await world.ways[way].be('hanging')
    try {
      // The first round finds out that it hangs, the second one meets what is known of it.
      for (const round of ['first', 'second']) {
        const late: string[] = []
        const broken: string[] = []
        await Promise.all(
          paths.map(async (path) => {
            const { answer, took_ms } = await timed(() => ask(path))
            if (took_ms > READ_MS) late.push(`${path} ${Math.round(took_ms)} ms`)
            if (answer.status === 500) broken.push(`${path} ${answer.text}`)
          }),
        )
        expect({ late, broken }, round).toEqual({ late: [], broken: [] })
      }
      await checkDns(way)
      await checkDeploy(way)
      await world.ways[way].be('hanging')
      await checkWrite(way)
    } finally {
      await world.ways[way].be('open')
    }
    await world.expectGreen()
  })

  async function checkDns(way: WayName): Promise<void> {
    const { status, body } = await world.at.call('GET', '/api/dns/records')
    expect(status).toBe(200)
    const expected =
      way === 'powerdns' ? { drift: null, records: [], unknown: [{ zone: ZONE }] } : { drift: false }
    expect(body).toMatchObject(expected)
  }

  async function checkDeploy(way: WayName): Promise<void> {
    const { call } = world.at
    await call('PUT', `/api/domains/${world.app_id}`, {
      body: { backend_port: 8000 + HANGING.indexOf(way) },
    })
    const { answer, took_ms } = await timed(() => call('POST', '/api/deploy-all'))
    expect(took_ms, way).toBeLessThan(CALL_MS)
    expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status)
    // It has nothing to change there, but nobody can say so: what is done stands, and the rest is told.
    if (way === 'powerdns' && answer.status === 200)
      expect(answer.body).toMatchObject({ success: false, unfinished: [{ component: 'dns' }] })
    await world.ways[way].be('open')
    if (answer.status === 202) {
      const location = answer.headers.get('location')!
      const ended = async () => (await call('GET', location)).body['state']
      await expect.poll(ended, PATIENCE).toBe('succeeded')
    }
    const drift = async () => (await call('GET', '/api/drift')).body['drift']
    await expect.poll(drift, PATIENCE).toBe(false)
  }

  /** What has to go where it hangs is saved, said to be missing, and brought there once the way is open. */
  async function checkWrite(way: WayName): Promise<void> {
    const write = WRITES[way]
    if (write === undefined) return
    const { answer, took_ms } = await timed(() => write.ask(world))
    expect(took_ms, way).toBeLessThan(CALL_MS)
    expect([202, 503], JSON.stringify(answer.body)).toContain(answer.status)
    const { body } = await world.at.call('GET', '/api/drift')
    expect(body['drift']).not.toBe(false)
    await world.ways[way].be('open')
    await expect.poll(() => write.isThere(world), PATIENCE).toBe(true)
  }
})
/** All that the API describes, with something that is there for each name in a path. */
async function everyGet({ at, app_id }: HealthWorld): Promise<readonly string[]> {
  const { call } = at
  const { paths } = (await call('GET', '/openapi.json')).body as unknown as Described
  const plan = await call('POST', '/api/plans', { body: { component: 'routes' } })
  const pass = await call('POST', '/api/reconcile')
  const edges = (await call('GET', '/api/ccm/edge/edges')).body as unknown as readonly { id: number }[]
  const examples: Readonly<Record<string, string>> = {
    domain_id: String(app_id),
    domain_name: `app.${ZONE}`,
    domain: `app.${ZONE}`,
    number: '1',
    plan_id: String(plan.body['plan_id'] ?? plan.body['id']),
    operation_id: String(pass.body['id']),
    username: 'jo.doe',
    edge_id: String(edges[0]!.id),
  }
  return Object.keys(paths)
    .filter((path) => 'get' in paths[path]!)
    .map((path) =>
      path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
        if (examples[name] === undefined) throw new Error(`${path}: this test has no example of {${name}}`)
        return examples[name]
      }),
    )
}
