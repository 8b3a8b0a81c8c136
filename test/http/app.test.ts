/** The façade as a whole, in-process: what every answer has, what each refusal looks like, and what is written down. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../src/kernel/failure.ts'
import { endpoint } from '../../src/http/contract.ts'
import { SECURITY_HEADERS } from '../../src/http/plain.ts'
import {
  afterAnswer,
  appOf,
  ask,
  type Ask,
  KEY,
  problemIn,
  PROXY_SECRET,
  recorder,
  withKey,
  withSystem,
} from './support.ts'

const Thing = z.strictObject({ name: z.string() })

const read = endpoint({
  method: 'GET',
  path: '/api/things/{thing_id}',
  id: 'readThing',
  summary: 'One thing',
  level: 'keyed',
  tags: ['Test'],
  params: z.object({ thing_id: z.string() }),
  replies: { 200: Thing },
  handler: async ({ params }) => ({
    status: 200,
    body: { name: params.thing_id },
    headers: { ETag: '"7"', Vary: 'Accept' },
  }),
})

const remove = endpoint({
  method: 'DELETE',
  path: '/api/things/{thing_id}',
  id: 'removeThing',
  summary: 'Not there any more',
  level: 'keyed',
  tags: ['Test'],
  params: z.object({ thing_id: z.string() }),
  replies: { 204: z.null() },
  handler: async () => ({ status: 204, body: null }),
})

const stats = endpoint({
  method: 'GET',
  path: '/api/things/stats',
  id: 'stats',
  summary: 'A fixed word where a name could stand',
  level: 'keyed',
  tags: ['Test'],
  replies: { 200: z.strictObject({ stats: z.literal(true) }) },
  handler: async () => ({ status: 200, body: { stats: true as const } }),
})

const failing = (path: '/api/fails/known' | '/api/fails/surprise' | '/api/fails/shape', thrown: unknown) =>
  endpoint({
    method: 'GET',
    path,
    id: path,
    summary: 'Fails',
    level: 'open',
    tags: ['Test'],
    replies: { 200: Thing },
    handler: async () => {
      if (thrown !== null) throw thrown
      return { status: 200, body: { name: 'x', secret: 'y' } }
    },
  })

const HIDDEN = [
  'X-API-Key',
  'Remote-User',
  'X-Plumbline-Proxy-Secret',
  'X-Plumbline-Session-Secret',
  'Cookie',
]

const whoami = endpoint({
  method: 'GET',
  path: '/api/whoami',
  id: 'whoami',
  summary: 'What a handler sees',
  level: 'keyed',
  tags: ['Test'],
  query: z.object({ key: z.string().optional() }),
  replies: { 200: z.looseObject({}) },
  handler: async (call) => ({
    status: 200,
    body: {
      actor: call.actor,
      class: call.class,
      client: call.client,
      custom: call.header('X-Custom'),
      hidden: HIDDEN.map((name) => call.header(name)),
    },
  }),
})

const stream = endpoint({
  method: 'GET',
  path: '/api/stream',
  id: 'stream',
  summary: 'A response of its own',
  level: 'open',
  tags: ['Test'],
  replies: { 200: { content_type: 'text/event-stream', description: 'Events' } },
  handler: async () =>
    new Response(ReadableStream.from([new TextEncoder().encode('data: 1\n\n')]), {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-transform' },
    }),
})

const known = new Failure('component_unavailable', 'The proxy is away.', {
  inside: 'inner words',
  retry_after_ms: 2500,
})
const ENDPOINTS = withSystem([
  read,
  remove,
  stats,
  failing('/api/fails/known', known),
  failing('/api/fails/surprise', new TypeError('canary-surprise')),
  failing('/api/fails/shape', null),
  whoami,
  stream,
])
const app = appOf(ENDPOINTS)

describe('every answer', () => {
  test.each<[string, string, number]>([
    ['a reply', '/health', 200],
    ['a page', '/docs', 200],
    ['a refusal', '/api/things/7', 401],
    ['an unknown path', '/nowhere', 404],
    ['an odd path', '/api//things', 400],
    ['a surprise', '/api/fails/surprise', 500],
    ['a stream', '/api/stream', 200],
  ])('%s has the security headers and a request id', async (_what, target, status) => {
    const answer = await ask(app, '/', { target })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    for (const name of Object.keys(SECURITY_HEADERS)) expect(answer.headers.has(name), name).toBe(true)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('an endpoint may say its own cache rule and policy', async () => {
    expect((await ask(app, '/api/stream')).headers.get('cache-control')).toBe('no-transform')
    expect((await ask(app, '/docs')).headers.get('content-security-policy')).toContain("script-src 'self'")
    expect((await ask(app, '/health')).headers.get('content-security-policy')).not.toContain('script-src')
  })

  test.each([
    ['req-1.A_b', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['a b', false],
    ['a"b', false],
  ])('the request id %j of a caller is kept beside ours: %s', async (id, kept) => {
    const { lines, log } = recorder()
    const answer = await ask(appOf(ENDPOINTS, { log }), '/health', { headers: { 'x-request-id': id } })
    await afterAnswer()
    const request_id = answer.headers.get('x-request-id')
    expect(request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(lines[0]!.facts).toMatchObject({ request_id })
    expect(lines[0]!.facts['caller_request_id']).toBe(kept ? id : undefined)
  })
})

describe('methods', () => {
  test.each(['POST', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND'])(
    '%s on a path that does not take it is 405',
    async (method) => {
      const answer = await ask(app, '/api/things/7', { method, headers: withKey })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD')
      expect((await problemIn(answer)).code).toBe('method_not_allowed')
    },
  )

  test('a fixed word is never read as a name, whatever the method', async () => {
    expect(await (await ask(app, '/api/things/stats', { headers: withKey })).json()).toEqual({ stats: true })
    const answer = await ask(app, '/api/things/stats', { method: 'DELETE', headers: withKey })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('OPTIONS on an unknown path is 404', async () => {
    expect((await ask(app, '/nowhere', { method: 'OPTIONS' })).status).toBe(404)
  })

  test('HEAD is GET without the body', async () => {
    const get = await ask(app, '/api/things/7', { headers: withKey })
    const head = await ask(app, '/api/things/7', { method: 'HEAD', headers: withKey })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    const withoutId = (answer: Response) => ({ ...Object.fromEntries(answer.headers), 'x-request-id': '' })
    expect(withoutId(head)).toEqual(withoutId(get))
  })

  test('HEAD on a problem has no body either', async () => {
    const head = await ask(app, '/api/things/7', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([401, ''])
  })

  test('an answer without content has none', async () => {
    const answer = await ask(app, '/api/things/7', { method: 'DELETE', headers: withKey })
    expect([answer.status, await answer.text(), answer.headers.get('content-length')]).toEqual([
      204,
      '',
      null,
    ])
  })
})

describe('problems', () => {
  test('an unknown path names the nearest known one', async () => {
    const problem = await problemIn(await ask(app, '/api/thigns/stats'))
    expect(problem).toMatchObject({ status: 404, code: 'not_found' })
    expect(problem.detail).toContain('"/api/things/stats"')
  })

  test('a missing key is challenged, a refused network is not', async () => {
    const answer = await ask(app, '/api/things/7')
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'ApiKey realm="plumbline"'])
    const stranger = await ask(app, '/metrics', { peer: '203.0.113.9' })
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([403, null])
  })

  test('an unstated peer is public', async () => {
    expect((await ask(app, '/metrics', { peer: null })).status).toBe(403)
    expect((await app.request('/metrics')).status).toBe(403)
  })

  test('a failure shows its message, its code and when to come back', async () => {
    const answer = await ask(app, '/api/fails/known', { headers: { 'x-request-id': 'r1' } })
    const request_id = answer.headers.get('x-request-id')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('retry-after')).toBe('3')
    expect(await answer.json()).toEqual({
      type: 'urn:plumbline:problem:component_unavailable',
      title: 'A component is unavailable',
      status: 503,
      detail: 'The proxy is away.',
      instance: `urn:uuid:${request_id}`,
      code: 'component_unavailable',
      request_id,
    })
  })

  test('a surprise shows nothing of itself', async () => {
    const answer = await ask(app, '/api/fails/surprise')
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('canary')
  })

  test('a reply that its schema does not describe is caught where replies are checked', async () => {
    expect((await ask(app, '/api/fails/shape')).status).toBe(500)
    expect((await ask(appOf(ENDPOINTS, { check_replies: false }), '/api/fails/shape')).status).toBe(200)
  })
})

describe('conditional GET', () => {
  test.each([
    ['"7"', 304],
    ['W/"7"', 304],
    ['"6", "7"', 304],
    ['*', 304],
    ['"6"', 200],
    ['7', 200],
    ['"77"', 200],
  ])('If-None-Match: %s is %i', async (held, status) => {
    const answer = await ask(app, '/api/things/a', { headers: { ...withKey, 'if-none-match': held } })
    expect(answer.status).toBe(status)
    expect([answer.headers.get('etag'), answer.headers.get('vary')]).toEqual(['"7"', 'Accept'])
    if (status === 304) expect([await answer.text(), answer.headers.get('content-type')]).toEqual(['', null])
  })
})

describe('bodies', () => {
  const large = 'x'.repeat(64 * 1024 + 1)

  test.each([
    ['an endpoint that takes a body or none', 'DELETE', '/api/things/7'],
    ['an unknown path with the right type', 'POST', '/nowhere'],
  ])('a body that is too large, for %s', async (_what, method, path) => {
    const answer = await ask(app, path, { method, headers: withKey, body: large })
    expect(answer.status).toBe(path === '/nowhere' ? 404 : 413)
  })

  test('exactly 64 KiB are read', async () => {
    const body = JSON.stringify('x'.repeat(64 * 1024 - 2))
    expect((await ask(app, '/api/things/7', { method: 'DELETE', headers: withKey, body })).status).toBe(422)
  })

  test('an endpoint may take more', async () => {
    const roomy = endpoint({
      method: 'POST',
      path: '/api/roomy',
      id: 'roomy',
      summary: 'Takes more',
      level: 'keyed',
      tags: [],
      body: z.string(),
      body_limit: 100_000,
      body_members: { keys: 100, entries: 100 },
      replies: { 200: z.number() },
      handler: async ({ body }) => ({ status: 200, body: body.length }),
    })
    const send = (length: number) =>
      ask(appOf([roomy]), '/api/roomy', {
        method: 'POST',
        headers: withKey,
        body: JSON.stringify('x'.repeat(length)),
      })
    expect(await (await send(99_000)).json()).toBe(99_000)
    expect((await problemIn(await send(100_000)))['limit_bytes']).toBe(100_000)
  })
})

describe('what a handler sees', () => {
  test('the caller, and no header that proves who it is', async () => {
    const headers = {
      'x-forwarded-for': '203.0.113.5',
      'x-plumbline-proxy-secret': PROXY_SECRET,
      'x-plumbline-session-secret': 'of-no-session',
      'remote-user': 'alice',
      'x-custom': 'c',
      'x-request-id': 'r2',
    }
    const answer = await ask(app, '/api/whoami', { peer: '10.9.9.9', headers })
    expect(await answer.json()).toEqual({
      actor: {
        name: 'sso:alice',
        request_id: answer.headers.get('x-request-id'),
        caller_request_id: 'r2',
      },
      class: 'sso',
      client: '203.0.113.5',
      custom: 'c',
      hidden: HIDDEN.map(() => null),
    })
  })
})

describe('the liveness answer', () => {
  test('is given whatever else is wrong with the request, under any Host', async () => {
    const hostile = { 'sec-fetch-site': 'cross-site', 'x-api-key': 'wrong', origin: 'null' }
    const answer = await ask(app, '/health', { peer: null, headers: hostile })
    expect(await answer.json()).toEqual({ status: 'ok', version: '0.0.0-test', uptime_seconds: 1.5 })
    expect((await ask(app, '/health', { headers: { host: 'evil.example' } })).status).toBe(200)
    expect((await ask(app, '/health', { method: 'POST' })).status).toBe(405)
  })

  test('is exact', async () => {
    for (const target of ['/health/', '/HEALTH', '/healthz', '/health?x=1']) {
      const answer = await ask(app, '/', { target })
      expect([404, 422]).toContain(answer.status)
    }
  })

  test('is 503 when the check fails, with the reason where it was written for callers', async () => {
    const sick = (error: Error) =>
      appOf(
        withSystem([], {
          check: async () => {
            throw error
          },
        }),
      )
    const failure = await problemIn(
      await ask(sick(new Failure('store_unavailable', 'The database is gone.')), '/health'),
    )
    expect(failure).toMatchObject({ status: 503, detail: 'The database is gone.' })
    const surprise = await ask(sick(new Error('canary')), '/health')
    expect([surprise.status, (await surprise.text()).includes('canary')]).toEqual([503, false])
  })
})

describe('metrics', () => {
  test('are text in the form that their collector says', async () => {
    const answer = await ask(app, '/metrics')
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await answer.text()).toBe('up 1\n')
  })
})

describe('the rate limit', () => {
  test('sees caller and level, and its wait becomes Retry-After', async () => {
    const asked: string[] = []
    const limited = appOf(ENDPOINTS, {
      admit: (caller, level) => {
        asked.push(`${caller.class} ${caller.client} ${level}`)
        return 1500
      },
    })
    const answer = await ask(limited, '/api/things/7', { headers: withKey })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2'])
    expect(asked).toEqual(['key 127.0.0.1 keyed'])
  })

  test.each<[string, string, Ask, number]>([
    ['without a key', '/api/things/7', {}, 401],
    ['with a wrong one', '/api/things/7', { headers: { 'x-api-key': 'wrong' } }, 401],
    ['for a path that there is not', '/nothing', {}, 404],
    ['by a method that there is not', '/health', { method: 'PATCH', headers: withKey, body: {} }, 405],
  ])('counts calls that are refused, too: %s', async (_, path, who, status) => {
    let left = 2
    const limited = appOf(ENDPOINTS, { admit: () => (left-- > 0 ? 0 : 1500) })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await ask(limited, path, who)).status)
    expect(statuses).toEqual([status, status, 429])
  })
})

describe('the request log', () => {
  test('has one line per request with the pattern of the path, and never the query or a key', async () => {
    const { lines, counts, log, metrics } = recorder()
    const logged = appOf(ENDPOINTS, { log, metrics })
    await ask(logged, '/api/things/canary-id?canary=query', { headers: { ...withKey, 'x-request-id': 'r3' } })
    await ask(logged, `/api/whoami?key=canary-${KEY}`, { headers: { 'remote-user': 'canary-user' } })
    await afterAnswer()
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatchObject({
      level: 'info',
      message: 'request answered',
      facts: {
        method: 'GET',
        route: '/api/things/{thing_id}',
        status: 422,
        caller_request_id: 'r3',
        class: 'key',
        actor: 'key',
        code: 'validation_failed',
      },
    })
    expect(lines[0]!.facts['took_ms']).toBeTypeOf('number')
    expect(lines[1]!.facts).toMatchObject({ status: 401, class: 'local', identity_dropped: true })
    expect(JSON.stringify(lines)).not.toMatch(/canary|a-key-of/)
    expect(counts).toContainEqual({
      name: 'plumbline_http_requests_total',
      labels: { method: 'GET', route: '/api/things/{thing_id}', status: '422' },
    })
    expect(counts.filter(({ name }) => name === 'plumbline_http_request_duration_seconds')).toHaveLength(2)
  })

  test('an unknown path and an unknown method are one label each', async () => {
    const { counts, log, metrics } = recorder()
    const logged = appOf(ENDPOINTS, { log, metrics })
    await ask(logged, '/a')
    await ask(logged, '/b', { method: 'PROPFIND' })
    await afterAnswer()
    const labels = counts.filter(({ name }) => name.endsWith('_total')).map((count) => count.labels)
    expect(labels).toEqual([
      { method: 'other', route: 'refused', status: '404' },
      { method: 'other', route: 'refused', status: '404' },
    ])
  })

  test('our own trouble is an error line with its reason, a liveness probe is a debug line', async () => {
    const { lines, log, metrics } = recorder()
    const logged = appOf(ENDPOINTS, { log, metrics })
    await ask(logged, '/api/fails/known')
    await ask(logged, '/api/fails/surprise')
    await ask(logged, '/health')
    await afterAnswer()
    expect(lines.map(({ level }) => level)).toEqual(['error', 'error', 'debug'])
    expect(lines[0]!.facts).toMatchObject({ code: 'component_unavailable', inside: 'inner words' })
    expect(lines[1]!.facts['error']).toBeInstanceOf(TypeError)
  })

  test('a client that went away is no error of ours', async () => {
    const { lines, log, metrics } = recorder()
    const away = new AbortController()
    const waiting = endpoint({
      method: 'GET',
      path: '/api/waits',
      id: 'waits',
      summary: 'Waits for its caller',
      level: 'open',
      tags: [],
      replies: { 200: Thing },
      handler: async ({ signal }) => {
        away.abort()
        signal.throwIfAborted()
        return { status: 200, body: { name: 'x' } }
      },
    })
    const request = new Request('http://localhost/api/waits', { signal: away.signal })
    await appOf([waiting], { log, metrics }).request(request, undefined, { peer: '127.0.0.1' })
    await afterAnswer()
    expect(lines).toMatchObject([{ level: 'info', facts: { abandoned: true } }])
  })
})
