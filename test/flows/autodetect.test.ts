/** Backends of all kinds, really there on loopback, and what is suggested for each; nothing is ever changed by it. */
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { movedClock } from '../kit/moved-clock.ts'
import { create, openTestHouse } from './test-house.ts'
import { describeInDepth, itOneIn } from '../kit/in-depth.ts'

const open: Server[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function port(server: Server): Promise<number> {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}

const http = (serve: RequestListener): Server => createHttp({ keepAlive: false }, serve)
const page =
  (body: string, headers: Record<string, string> = {}, paths: RegExp = /^\/$/): RequestListener =>
  (request, response) => {
    if (!paths.test(request.url ?? '')) return void response.writeHead(404).end('no such page')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  }

const SHELL =
  '<!doctype html><title>x</title><div id="root"></div><script type="module" src="/a.js"></script>'
const ARTICLE = `<!doctype html><h1>News</h1><p>${'Words and words. '.repeat(60)}</p><script src="/a.js"></script>`

function webSocketOnly(): Server {
  const server = http((_request, response) => void response.writeHead(426, { upgrade: 'websocket' }).end())
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  return server
}

const BACKENDS: readonly (readonly [what: string, service_type: string | null, server: () => Server])[] = [
  ['a page for every path, filled by scripts', 'spa', () => http(page(SHELL, {}, /./))],
  ['pages with their content in them', 'http', () => http(page(ARTICLE, { 'set-cookie': 'sid=1' }))],
  [
    'files with validators',
    'static',
    () =>
      http(
        page(ARTICLE, {
          etag: '"1"',
          'last-modified': 'Sat, 01 Nov 2025 00:00:00 GMT',
          'accept-ranges': 'bytes',
        }),
      ),
  ],
  [
    'an API that describes itself',
    'api',
    () =>
      http((request, response) => {
        const found = request.url === '/openapi.json'
        response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
        response.end(found ? '{ "info": {}, "openapi": "3.1.0" }' : '{}')
      }),
  ],
  [
    'JSON at its root',
    'api',
    () =>
      http(
        (_request, response) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      ),
  ],
  ['WebSockets and no page', 'websocket', webSocketOnly],
  [
    'a service that speaks first',
    'tcp-proxy',
    () => createServer((socket) => void socket.end('SSH-2.0-x\r\n')),
  ],
  [
    'a port that takes no HTTP',
    'tcp-proxy',
    () => createServer((socket) => void socket.on('data', () => socket.end('-ERR\r\n'))),
  ],
  [
    'a login that redirects',
    'http',
    () => http((_request, response) => void response.writeHead(302, { location: '/login' }).end()),
  ],
]

describe('autodetect', () => {
  itOneIn(4).each(BACKENDS)('%s: %s', async (_what, service_type, serve) => {
    await using at = await openTestHouse({ opened: false })
    const id = await create(at.call, { backend_host: '127.0.0.1', backend_port: await port(serve()) })
    const before = (await at.call('GET', `/api/domains/${id}`)).body
    const { status, body } = await at.call('POST', `/api/domains/${id}/autodetect`, { body: {} })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body, JSON.stringify(body['evidence'])).toMatchObject({ suggestion: { service_type } })
    expect((body['evidence'] as unknown as unknown[]).length).toBe(7)
    expect((await at.call('GET', `/api/domains/${id}`)).body).toEqual(before)
  })

  it('where nobody listens nothing is suggested', async () => {
    await using at = await openTestHouse({ opened: false })
    const gone = await port(createServer())
    await new Promise((resolve) => open.pop()!.close(resolve))
    const id = await create(at.call, { backend_host: '127.0.0.1', backend_port: gone })
    const { body } = await at.call('POST', `/api/domains/${id}/autodetect`, { body: {} })
    expect(body).toMatchObject({
      suggestion: null,
      agrees: null,
      evidence: [{ probe: 'tcp', found: false }, {}, {}, {}, {}, {}, {}],
    })
  })

  it('this daemon and the proxy’s API are not probed', async () => {
    await using at = await openTestHouse({
      opened: false,
      env: { PLUMBLINE_LISTEN: '127.0.0.1:8099', PLUMBLINE_TRAEFIK_API: 'http://localhost:8098' },
    })
    for (const backend_port of [8098, 8099]) {
      const id = await create(at.call, {
        domain: `p${backend_port}.example.com`,
        backend_host: '127.0.0.1',
        backend_port,
      })
      const { body } = await at.call('POST', `/api/domains/${id}/autodetect`, { body: {} })
      expect(body).toMatchObject({ suggestion: null, evidence: [], not_probed_because: 'own_service' })
      expect(
        (await at.call('GET', `/api/domains/${id}/effective-config?check_backend=true`)).body,
      ).toMatchObject({
        backend_tcp_reachable: null,
        backend_trouble: 'own_service',
      })
    }
  })

  it.each([
    ['no body', undefined, 422],
    ['null', null, 422],
    ['an unknown field', { host: '10.0.0.1' }, 422],
    ['a path that is none', { path: 'x' }, 422],
    ['a path with a line feed', { path: '/\r\nX: y' }, 422],
  ])('%s is refused', async (_what, body, status) => {
    await using at = await openTestHouse({ opened: false })
    const id = await create(at.call)
    expect((await at.call('POST', `/api/domains/${id}/autodetect`, { body })).status).toBe(status)
  })

  it('a record without a backend is a conflict, an unknown one not found', async () => {
    await using at = await openTestHouse({ opened: false })
    const id = await create(at.call, { service_type: 'manual', backend_host: null, backend_port: null })
    expect((await at.call('POST', `/api/domains/${id}/autodetect`, { body: {} })).status).toBe(409)
    expect((await at.call('POST', '/api/domains/99/autodetect', { body: {} })).status).toBe(404)
  })
})

describeInDepth('check_backend', () => {
  it('says whether somebody is there, and nothing without being asked', async () => {
    await using at = await openTestHouse({ opened: false })
    const id = await create(at.call, {
      backend_host: '127.0.0.1',
      backend_port: await port(createServer((socket) => void socket.resume())),
    })
    const url = `/api/domains/${id}/effective-config`
    expect((await at.call('GET', `${url}?check_backend=true`)).body).toMatchObject({
      backend_tcp_reachable: true,
      backend_trouble: null,
    })
    for (const query of ['', '?check_backend=false'])
      expect((await at.call('GET', url + query)).body).not.toHaveProperty('backend_tcp_reachable')
  })

  it('thirty a minute, then 429 with the time to wait', async () => {
    await using at = await openTestHouse({ clock: movedClock().limitsStandStill(), opened: false })
    const backend_port = await port(http(page(ARTICLE)))
    const id = await create(at.call, { backend_host: '127.0.0.1', backend_port })
    const url = `/api/domains/${id}/effective-config?check_backend=true`
    // As many at a time as are probed at once.
    for (let asked = 0; asked < 30; asked += 3) {
      const answers = await Promise.all(Array.from({ length: 3 }, () => at.call('GET', url)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    }
    const refused = await at.call('GET', url)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
