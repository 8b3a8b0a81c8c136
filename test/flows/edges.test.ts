/** Edges over the whole house: they get what was released, they are known by their token alone, and their silence is told. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { Failure } from '../../src/kernel/failure.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import { movedClock } from '../kit/moved-clock.ts'
import { request, wire } from '../http/socket.ts'
import type { Client } from './client.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

const ALL = '/api/ccm/edge/edges'

interface Issued {
  readonly id: number
  readonly token: string
  readonly path: string
  readonly bearer: { readonly authorization: string }
}

async function addEdge(call: Client, fields: Readonly<Record<string, unknown>> = {}): Promise<Issued> {
  const answer = await call('POST', ALL, { body: { name: 'fra1', ...fields } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const { edge, token, ...beside } = answer.body as unknown as { edge: { id: number }; token: string }
  // The house has no https address: whoever is on the way reads the token.
  expect(beside).toMatchObject({ warnings: [expect.stringContaining('over plain http')] })
  return {
    id: edge.id,
    token,
    path: `${ALL}/${edge.id}`,
    bearer: { authorization: `Bearer ${token}` },
  }
}

/** The edge calls from the internet, with nothing but its token. */
const asEdge =
  (call: Client, { bearer }: Issued) =>
  (method: string, path: string, more = {}, body?: unknown) =>
    call(method, path, {
      key: null,
      peer: '203.0.113.9',
      headers: { ...bearer, ...more },
      ...(body === undefined ? {} : { body }),
    })

const events = async (call: Client, kind: string): Promise<string[]> => {
  const { body } = await call('GET', '/api/events?limit=1000', { headers: { accept: 'application/json' } })
  return (body as unknown as { kind: string; message: string }[])
    .filter((event) => event.kind === kind)
    .map(({ message }) => message)
}

describe('what an edge is served', () => {
  it('is the released edition, word for word that of the routes file, and never what is merely saved', async () => {
    await using at = await openTestHouse()
    const edge = await addEdge(at.call)
    const fetch = asEdge(at.call, edge)
    const bare = (await fetch('GET', `${edge.path}/routes`)).body as Readonly<Record<string, object>>
    expect(Object.keys(bare['http']!), 'without a route there is the generation marker').toEqual([
      'middlewares',
    ])
    const id = await createActive(at.call)
    await create(at.call, { domain: 'saved.example.com' })
    const first = await fetch('GET', `${edge.path}/routes`)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/json')
    expect(first.body).toEqual(parse(at.routes()))
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    const held = await fetch('GET', `${edge.path}/routes`, { 'if-none-match': etag })
    expect([held.status, held.body]).toEqual([304, ''])
    const head = await fetch('HEAD', `${edge.path}/routes`)
    expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', etag])
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9999 } })
    expect((await fetch('GET', `${edge.path}/routes`)).headers.get('etag'), 'an edit is pending').toBe(etag)
    await at.call('POST', `/api/domains/${id}/deploy`)
    const second = await fetch('GET', `${edge.path}/routes`, { 'if-none-match': etag })
    expect(second.status).toBe(200)
    expect(second.body).toEqual(parse(at.routes()))
    expect(JSON.stringify(second.body)).toContain('9999')
  })

  it('is 503 and no configuration while the database does not answer', async () => {
    let broken = false
    await using at = await openTestHouse({
      wrap: {
        store: (store) => ({
          ...store,
          latestRelease: () =>
            broken ? Promise.reject(new Failure('store_unavailable', 'broken')) : store.latestRelease(),
        }),
      },
    })
    const edge = await addEdge(at.call)
    await createActive(at.call)
    const fetch = asEdge(at.call, edge)
    expect((await fetch('GET', `${edge.path}/routes`)).status).toBe(200)
    broken = true
    const answer = await fetch('GET', `${edge.path}/routes`)
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({ code: 'store_unavailable' })
    broken = false
    expect((await fetch('GET', `${edge.path}/routes`)).status).toBe(200)
  })
})

describe('who gets it', () => {
  it('is the edge with its own token, and whoever has the API key', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    const edge = await addEdge(at.call)
    const other = await addEdge(at.call, { name: 'ams1' })
    const routes = `${edge.path}/routes`
    const status = async (headers: Record<string, string>, path = routes) =>
      (await at.call('GET', path, { key: null, peer: '203.0.113.9', headers })).status
    expect(await status(edge.bearer)).toBe(200)
    expect(await status(other.bearer), 'the token of another edge').toBe(403)
    expect(await status({}), 'nothing').toBe(401)
    expect(await status({ authorization: 'Bearer nonsense' })).toBe(401)
    expect(await status({ 'x-api-key': edge.token }), 'the token as a key').toBe(401)
    expect(await status(edge.bearer, `${edge.path}`), 'another endpoint').toBe(401)
    expect((await at.call('GET', routes)).status, 'the API key').toBe(200)
    expect(
      (await at.call('GET', edge.path)).body['last_seen'],
      'a look with the key is no sign of life',
    ).not.toBe(null)
  })

  itOneIn(2).each(['POST', 'GET'])(
    'is asked before a body is read: a %s that never sends it is refused all the same',
    async (method) => {
      await using at = await openTestHouse()
      const edge = await addEdge(at.call)
      const path = method === 'POST' ? `${edge.path}/heartbeat` : `${edge.path}/routes`
      const { listen } = JSON.parse(readFileSync(join(at.directory, 'holder.json'), 'utf8')) as {
        listen: string
      }
      const begun = (token: string) => {
        const { socket, until } = wire(Number(new URL(listen).port))
        const headers = [
          'Host: 127.0.0.1',
          'Content-Type: application/json',
          'Content-Length: 60000',
          `Authorization: Bearer ${token}`,
        ]
        socket.write(request(`${method} ${path}`, headers))
        return { socket, until }
      }
      expect(await begun('nonsense').until(/\r\n\r\n/)).toContain('HTTP/1.1 401')
      const proven = begun(edge.token)
      proven.socket.write(`{}${' '.repeat(59_998)}`)
      expect(await proven.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 (?:200|503)/)
    },
  )

  itInDepth('ends with the token: at once when revoked or removed, after a day when rotated', async () => {
    const clock = movedClock()
    await using at = await openTestHouse({ clock })
    await createActive(at.call)
    const edge = await addEdge(at.call)
    const get = asEdge(at.call, edge)
    const rotated = await at.call('POST', `${edge.path}/token`)
    expect(rotated.body).toMatchObject({ success: true, edge: { id: edge.id } })
    const next = {
      ...edge,
      bearer: { authorization: `Bearer ${rotated.body['token'] as unknown as string}` },
    }
    expect((await get('GET', `${edge.path}/routes`)).status).toBe(200)
    expect((await asEdge(at.call, next)('GET', `${edge.path}/routes`)).status).toBe(200)
    clock.step(24 * 3_600_000 + 1)
    expect((await get('GET', `${edge.path}/routes`)).status).toBe(401)
    expect((await asEdge(at.call, next)('GET', `${edge.path}/routes`)).status).toBe(200)
    expect((await at.call('DELETE', `${edge.path}/token`)).status).toBe(200)
    expect((await asEdge(at.call, next)('GET', `${edge.path}/routes`)).status).toBe(401)
    const again = await addEdge(at.call, { name: 'again' })
    expect((await at.call('DELETE', again.path)).status).toBe(200)
    expect((await asEdge(at.call, again)('GET', `${again.path}/routes`)).status).toBe(401)
    const reborn = await addEdge(at.call, { name: 'again' })
    expect(reborn.id).not.toBe(again.id)
  })

  itInDepth('a client that guesses is slowed down, and locks no edge out', async () => {
    await using at = await openTestHouse({ clock: movedClock().limitsStandStill() })
    await createActive(at.call)
    const edge = await addEdge(at.call)
    const guess = () =>
      at.call('GET', `${edge.path}/routes`, {
        key: null,
        peer: '203.0.113.9',
        headers: { authorization: 'Bearer guess' },
      })
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await guess()).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    expect((await asEdge(at.call, edge)('GET', `${edge.path}/routes`)).status).toBe(200)
  })
})

describe('what is known of an edge', () => {
  itInDepth('goes from pending to active to offline and back, and each is told once', async () => {
    const clock = movedClock()
    await using at = await openTestHouse({ clock, env: { PLUMBLINE_EDGE_OFFLINE_AFTER: '5' } })
    await createActive(at.call)
    const edge = await addEdge(at.call)
    const state = async () => (await at.call('GET', edge.path)).body['state'] as unknown
    expect(await state()).toBe('pending')
    const get = asEdge(at.call, edge)
    await get('GET', `${edge.path}/routes`)
    expect(await state()).toBe('active')
    expect((await at.call('GET', edge.path)).body).toMatchObject({ up_to_date: true })
    clock.pass(60_000)
    expect(await state()).toBe('offline')
    await addEdge(at.call, { name: 'wakes-the-watch' })
    await expect.poll(() => events(at.call, 'edge_offline')).toHaveLength(1)
    const beat = await get(
      'POST',
      `${edge.path}/heartbeat`,
      { 'content-type': 'application/json' },
      {
        config_version: 'old',
      },
    )
    expect(beat.body).toMatchObject({ state: 'active', config_version: 'old', up_to_date: false })
    expect(await events(at.call, 'edge_online')).toHaveLength(2)
    expect((await at.call('GET', `${ALL}?state=offline`)).body).toEqual([])
    expect((await at.call('GET', `${ALL}?state=gone`)).status).toBe(422)
  })

  itInDepth('our own absence is no silence of theirs', async () => {
    const clock = movedClock()
    const first = await openTestHouse({ clock })
    await createActive(first.call)
    const edge = await addEdge(first.call)
    await asEdge(first.call, edge)('GET', `${edge.path}/routes`)
    await first.house.close()
    clock.step(3_600_000)
    await using at = await openTestHouse({ clock, directory: first.directory })
    expect((await at.call('GET', edge.path)).body).toMatchObject({ state: 'active' })
  })

  it('is written back as it was read before it called: nobody has taken it out by hand', async () => {
    const clock = movedClock()
    const env = { PLUMBLINE_EDGE_OFFLINE_AFTER: '5' }
    await using at = await openTestHouse({ clock, env })
    await createActive(at.call)
    const edge = await addEdge(at.call)
    const saved = (body: object) => at.call('PUT', edge.path, { body })
    const read = async () => (await at.call('GET', edge.path)).body
    const pending = await read()
    await asEdge(at.call, edge)('GET', `${edge.path}/routes`)
    const first = await saved({ ...pending, region: 'eu' })
    expect(first.body['edge'], JSON.stringify(first.body)).toMatchObject({ state: 'active', region: 'eu' })
    clock.pass(60_000)
    const silent = await read()
    expect(silent).toMatchObject({ state: 'offline', desired_state: 'active' })
    await asEdge(at.call, edge)('GET', `${edge.path}/routes`)
    const back = await saved({ ...silent, region: 'us' })
    expect(back.body['edge'], JSON.stringify(back.body)).toMatchObject({
      state: 'active',
      desired_state: 'active',
      region: 'us',
    })
    // What somebody wrote in the place of what was read is a wish all the same.
    const taken_out = await saved({ ...(await read()), state: 'offline' })
    expect(taken_out.body['edge']).toMatchObject({ desired_state: 'offline', reason: 'Taken out by hand.' })
  })

  it('that said once what it runs, and only fetches since, is judged by what it fetched', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const edge = await addEdge(at.call)
    const call = asEdge(at.call, edge)
    const json = { 'content-type': 'application/json' }
    await call('GET', `${edge.path}/routes`)
    const config_version = (await at.call('GET', edge.path)).body['current_version']
    await call('POST', `${edge.path}/heartbeat`, json, { config_version })
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9999 } })
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect((await at.call('GET', edge.path)).body).toMatchObject({ config_version, up_to_date: false })
    await call('GET', `${edge.path}/routes`)
    expect((await at.call('GET', edge.path)).body).toMatchObject({ config_version: null, up_to_date: true })
    await call('POST', `${edge.path}/heartbeat`, json, { config_version })
    expect((await at.call('GET', edge.path)).body).toMatchObject({ config_version, up_to_date: false })
  })

  itInDepth('is changed by hand: read, edit, write back; drained, taken out and back in', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    const edge = await addEdge(at.call, {
      hostname: 'Edge.Example.COM',
      address: '198.51.100.7',
      region: 'eu',
    })
    await asEdge(at.call, edge)('GET', `${edge.path}/routes`)
    const { body } = await at.call('GET', edge.path)
    expect(body).toMatchObject({ hostname: 'edge.example.com', revision: 1 })
    const back = await at.call('PUT', edge.path, { body: { ...body, region: 'us', state: 'draining' } })
    expect(back.body, JSON.stringify(back.body)).toMatchObject({
      edge: { region: 'us', state: 'draining', desired_state: 'draining', revision: 2 },
    })
    expect((await at.call('PUT', edge.path, { body: { state: 'offline' } })).body).toMatchObject({
      edge: { state: 'offline' },
    })
    expect((await at.call('PUT', edge.path, { body: { desired_state: 'active' } })).body).toMatchObject({
      edge: { state: 'active' },
    })
    expect((await at.call('PUT', edge.path, { body: { state: 'pending' } })).status).toBe(422)
    expect((await at.call('PUT', edge.path, { body: { revision: 1 } })).status).toBe(422)
    expect((await at.call('PUT', edge.path, { body: {}, headers: { 'if-match': '"1"' } })).status).toBe(412)
    const trail = (await at.call('GET', '/api/audit')).body as unknown as { action: string }[]
    expect(trail.map(({ action }) => action)).toContain('update_edge')
    expect(JSON.stringify(trail)).not.toContain(edge.token)
  })

  itOneIn(7).each([
    [{ name: 'Fra 1' }, 'name'],
    [{ name: 'fra1', hostname: '*.example.com' }, 'hostname'],
    [{ name: 'fra1', hostname: 'edge' }, 'hostname'],
    [{ name: 'fra1', address: '0.0.0.0' }, 'address'],
    [{ name: 'fra1', region: '\u0000' }, 'region'],
    [{ name: 'fra1', color: 'blue' }, 'color'],
    [{}, 'name'],
  ])('%j is refused and named', async (body, field) => {
    await using at = await openTestHouse({ opened: false })
    const answer = await at.call('POST', ALL, { body })
    expect(answer.status).toBe(422)
    expect(answer.body['errors'] as unknown).toEqual([expect.objectContaining({ loc: ['body', field] })])
    expect((await at.call('GET', ALL)).body).toEqual([])
  })

  itInDepth('has a name of its own, and a dry run makes none', async () => {
    await using at = await openTestHouse({ opened: false })
    const dry = await at.call('POST', `${ALL}?dry_run=true`, { body: { name: 'fra1' } })
    expect(dry.body).toMatchObject({ dry_run: true })
    expect(dry.body['plan']).toMatchObject({
      actions: [{ component: 'edges', verb: 'create', item: 'fra1' }],
    })
    expect(JSON.stringify(dry.body)).not.toMatch(/[A-Za-z0-9_-]{40}\./)
    const edge = await addEdge(at.call)
    const path = `${ALL}/${edge.id}`
    const hashes = await Promise.all(
      (
        [
          ['PUT', path, { desired_state: 'draining' }],
          ['PUT', path, { desired_state: 'offline' }],
          ['POST', `${path}/token`],
          ['DELETE', `${path}/token`],
          ['DELETE', path],
        ] as const
      ).map(async ([method, to, body]) => {
        const { plan } = (await at.call(method, `${to}?dry_run=true`, body && { body })).body
        const { hash, actions } = plan as unknown as { hash: string; actions: readonly unknown[] }
        expect(actions).toHaveLength(1)
        return hash
      }),
    )
    expect(new Set(hashes).size).toBe(5)
    const second = await at.call('POST', ALL, { body: { name: 'fra1' } })
    expect(second.body).toMatchObject({ status: 409, code: 'name_taken', edge_id: edge.id })
    expect((await at.call('GET', `${ALL}/99`)).status).toBe(404)
  })
})

itInDepth(
  'an edge that lives and goes on with earlier routes is no clean page: what was closed since is open there',
  async () => {
    const clock = movedClock()
    await using at = await openTestHouse({ clock })
    const id = await createActive(at.call, { auth_required: false })
    const edge = await addEdge(at.call)
    const get = asEdge(at.call, edge)
    await get('GET', `${edge.path}/routes`)
    const beat = () => get('POST', `${edge.path}/heartbeat`, { 'content-type': 'application/json' }, {})
    const part = async () => {
      const { body } = await at.call('GET', '/api/control-plane/health?probe=true')
      const { components } = body as unknown as { components: readonly { name: string }[] }
      return components.find(({ name }) => name === 'edges')
    }
    await at.call('PUT', `/api/domains/${id}`, { body: { auth_required: true } })
    expect((await at.call('POST', `/api/domains/${id}/deploy`)).status).toBe(200)
    await beat()
    expect(await part(), 'it may fetch them any moment').toMatchObject({ ok: true })
    clock.step(11 * 60_000)
    await beat()
    const wrong = {
      ok: false,
      drift: true,
      cause: 'behind',
      differences: [{ item: 'fra1', cause: 'behind' }],
    }
    expect(await part()).toMatchObject(wrong)
    await get('GET', `${edge.path}/routes`)
    expect(await part()).toMatchObject({ ok: true, drift: false })
  },
)
