/** The façade on real sockets: what a request may be made of, and what a slow, greedy or broken client can do. */
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../src/http/contract.ts'
import { httpServer, SERVER_LIMITS } from '../../../src/http/socket/server.ts'
import { appOf, KEY, withSystem } from '../support.ts'
import { chunked, request, serving, statusesIn, talk, wire } from '../socket.ts'
import { itInDepth, itOneIn } from '../../kit/in-depth.ts'

const HOST = 'Host: localhost'
const LAST = 'Connection: close'
const JSON_TYPE = 'Content-Type: application/json'
const WITH_KEY = `X-API-Key: ${KEY}`

const post = endpoint({
  method: 'POST',
  path: '/api/echo',
  id: 'echo',
  summary: 'Echo',
  level: 'keyed',
  tags: [],
  body: z.strictObject({ text: z.string() }),
  replies: { 200: z.strictObject({ length: z.int() }) },
  handler: async ({ body }) => ({ status: 200, body: { length: body.text.length } }),
})

const trigger = endpoint({
  method: 'POST',
  path: '/api/trigger',
  id: 'trigger',
  summary: 'Reads no body',
  level: 'open',
  tags: [],
  replies: { 200: z.strictObject({}) },
  handler: async () => ({ status: 200, body: {} }),
})

const ENDPOINTS = withSystem([post, trigger])
const app = appOf(ENDPOINTS)

describe('requests over a socket', () => {
  test('are answered one after another on one connection', async () => {
    const { port } = await serving(app)
    const text = await talk(
      port,
      request('GET /health', [HOST]) + request('HEAD /health', [HOST]) + request('GET /x', [HOST, LAST]),
    )
    expect(statusesIn(text)).toEqual([200, 200, 404])
    expect(text).toContain('"status":"ok"')
  })

  test.each([
    [400, request('GET //metrics', [HOST])],
    [421, request('GET /metrics', ['Host: other.example'])],
    [429, request('GET /metrics', [HOST, WITH_KEY])],
  ])('%i is the last answer of its connection', async (status, refused) => {
    const { port } = await serving(appOf(ENDPOINTS, { admit: () => 1500 }))
    const said = await talk(port, refused + refused)
    expect(statusesIn(said)).toEqual([status])
    expect(said.toLowerCase()).toContain('connection: close')
  })

  test('a body arrives in one piece, in many, or in chunks', async () => {
    const { port } = await serving(app)
    const body = JSON.stringify({ text: 'x'.repeat(100) })
    const head = ['POST /api/echo', [HOST, WITH_KEY, JSON_TYPE, LAST]] as const
    const plain = request(head[0], [...head[1], `Content-Length: ${body.length}`], body)
    const pieces = request(
      head[0],
      [...head[1], 'Transfer-Encoding: chunked'],
      chunked(body.slice(0, 1), 1).replace('0\r\n\r\n', '') + chunked(body.slice(1), 1),
    )
    for (const said of [plain, pieces]) expect(await talk(port, said)).toContain('{"length":100}')
    const { socket, closed } = wire(port)
    for (const byte of plain) socket.write(byte)
    expect(await closed).toContain('{"length":100}')
  })

  test('what stands in the policy stands on the socket: two Hosts, two keys, no Host, an absolute target', async () => {
    const { port } = await serving(app)
    const cases = [
      request('GET /metrics', [HOST, HOST, LAST]),
      request('GET /metrics', [HOST, WITH_KEY, WITH_KEY, LAST]),
      request('GET /metrics', [LAST]),
      request('GET http://localhost/metrics', [HOST, LAST]),
      request('GET //metrics', [HOST, LAST]),
      request('GET /metrics#x', [HOST, LAST]),
      request('GET /api/%2e%2e/metrics', [HOST, LAST]),
      request('GET /metrics', ['Host: a b', LAST]),
      'GET /metrics HTTP/1.0\r\n\r\n',
    ]
    for (const said of cases) {
      const text = await talk(port, said)
      expect(statusesIn(text), said).toEqual([400])
      expect(text).toContain('application/problem+json')
    }
  })

  test('the peer address is the one of the socket: loopback alone is local', async () => {
    const { port } = await serving(app)
    expect(statusesIn(await talk(port, request('GET /metrics', [HOST, LAST])))).toEqual([200])
    expect(
      statusesIn(await talk(port, request('GET /metrics', [HOST, LAST, 'X-Forwarded-For: 127.0.0.1']))),
    ).toEqual([403])
  })

  test.each([
    ['PROPFIND /metrics', 405],
    ['TRACE /metrics', 405],
    ['OPTIONS /metrics', 405],
    ['OPTIONS *', 400],
  ])('%s is %i', async (line, status) => {
    const { port } = await serving(app)
    expect(statusesIn(await talk(port, request(line, [HOST, LAST])))).toEqual([status])
  })

  test('tunnels are closed without a word', async () => {
    const { port } = await serving(app)
    expect(await talk(port, request('CONNECT localhost:22', [HOST]))).toBe('')
  })

  // What a client sends after its wish, before it has an answer, is the next request, never the other protocol.
  test.each([
    [
      'h2c',
      [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      ],
    ],
    [
      'websocket',
      [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ],
    ],
  ])('a wish for %s is ignored: the request is answered, and so is the next one', async (_, upgrade) => {
    const { port } = await serving(app)
    const first = request('GET /metrics', [HOST, ...upgrade])
    const body = 'GET /smuggled HTTP/1.1\r\n\r\n'
    const posted = `${request('POST /metrics', [HOST, ...upgrade, `Content-Length: ${body.length}`])}${body}`
    const text = await talk(port, `${first}${posted}${request('GET /metrics', [HOST, LAST])}`)
    expect(statusesIn(text)).toEqual([200, 415, 200])
    expect(text).not.toContain('Switching')
  })

  test('a stream is sent as it comes, and a stream that fails breaks off', async () => {
    const streaming = (path: '/api/good' | '/api/bad', parts: () => AsyncIterable<Uint8Array>) =>
      endpoint({
        method: 'GET',
        path,
        id: path,
        summary: 'Streams',
        level: 'open',
        tags: [],
        replies: { 200: { content_type: 'text/event-stream', description: 'Events' } },
        handler: async () => new Response(ReadableStream.from(parts())),
      })
    const word = new TextEncoder().encode('word')
    const good = streaming('/api/good', async function* () {
      yield word
      yield word
    })
    const bad = streaming('/api/bad', async function* () {
      yield word
      throw new Error('broken')
    })
    const { port } = await serving(appOf([good, bad]))
    const complete = await talk(port, request('GET /api/good', [HOST, LAST]))
    expect(complete).toMatch(/word\r\n[\s\S]*word\r\n0\r\n\r\n$/)
    expect(await talk(port, request('GET /api/bad', [HOST, LAST]))).not.toMatch(/0\r\n\r\n$/)
    expect(statusesIn(await talk(port, request('GET /api/good', [HOST, LAST])))).toEqual([200])
  })
})

describe('bytes that are no request', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    [
      'a length and chunks at once',
      request('POST /api/trigger', [HOST, 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      400,
    ],
    [
      'two lengths',
      request('POST /api/trigger', [HOST, 'Content-Length: 5', 'Content-Length: 6'], 'hello'),
      400,
    ],
    ['a header without a colon', request('GET /health', [HOST, 'broken']), 400],
    ['a folded header', request('GET /health', [HOST, 'X-A: b\r\n c']), 400],
    ['a header section of 9 KiB', request('GET /health', [HOST, `X-A: ${'b'.repeat(9 * 1024)}`]), 431],
    ['a target of 9 KiB', request(`GET /${'a'.repeat(9 * 1024)}`, [HOST]), 431],
  ])('%s', async (_what, said, status) => {
    const { port } = await serving(app)
    const text = await talk(port, said)
    expect(statusesIn(text)).toEqual([status])
    expect(text).toContain('x-content-type-options: nosniff')
    expect(statusesIn(await talk(port, request('GET /health', [HOST, LAST])))).toEqual([200])
  })
})

test('headers over the limit are refused with the limit in force and what to do', async () => {
  const said = request('GET /health', [HOST, `X-A: ${'b'.repeat(9 * 1024)}`])
  const text = 'The request line and the headers are larger than'
  const remedy = 'Send fewer or shorter headers and cookies.'
  expect(await talk((await serving(app)).port, said)).toContain(`${text} 8 KiB. ${remedy}`)
  const { port } = await serving(app, { header_bytes: 4096 })
  expect(await talk(port, said)).toContain(`${text} 4 KiB. ${remedy}`)
})

test('garbage behind a request whose answer is on the wire breaks the answer off and is not answered into it', async () => {
  const gate = Promise.withResolvers<void>()
  const open = endpoint({
    method: 'GET',
    path: '/api/open',
    id: 'open',
    summary: 'Streams until it is let go',
    level: 'open',
    tags: [],
    replies: { 200: { content_type: 'text/plain', description: 'Words' } },
    handler: async () => new Response(ReadableStream.from(words(gate.promise))),
  })
  const { port } = await serving(appOf([open]))
  const { socket, closed, until } = wire(port)
  socket.write(request('GET /api/open', [HOST]))
  await until(/word/)
  socket.write('garbage\r\n\r\n')
  expect(statusesIn(await closed)).toEqual([200])
  gate.resolve()
})

async function* words(until: Promise<void>) {
  yield new TextEncoder().encode('word')
  await until
}

describe('bodies are counted on the stream', () => {
  const piece = 'x'.repeat(16 * 1024)
  const megabyte = chunked(piece, 64)

  itOneIn(4).each(ENDPOINTS.map((one) => [one.method, one.path] as const))(
    'a chunked mebibyte is 413 on %s %s',
    async (method, path) => {
      const { port } = await serving(app)
      const headers = [HOST, WITH_KEY, JSON_TYPE, LAST, 'Transfer-Encoding: chunked']
      const text = await talk(port, request(`${method} ${path}`, headers, megabyte))
      expect(statusesIn(text)).toEqual([413])
      expect(text).toContain('"code":"too_large"')
    },
  )

  itInDepth('a promised mebibyte is refused, whether it comes or not', async () => {
    const { port } = await serving(app)
    const head = request('POST /api/echo', [
      HOST,
      WITH_KEY,
      JSON_TYPE,
      LAST,
      `Content-Length: ${1024 * 1024}`,
    ])
    expect(statusesIn(await talk(port, head))).toEqual([413])
    expect(statusesIn(await talk(port, head + 'x'.repeat(1024 * 1024)))).toEqual([413])
  })

  test('nothing of a refused body is read as the next request', async () => {
    const { port } = await serving(app)
    const smuggled = chunked(request('GET /metrics', [HOST, WITH_KEY]).repeat(2000), 1)
    const headers = [HOST, WITH_KEY, JSON_TYPE, 'Transfer-Encoding: chunked']
    const next = request('GET /nowhere', [HOST, LAST])
    expect(statusesIn(await talk(port, request('POST /api/echo', headers, smuggled) + next))).toEqual([
      413, 404,
    ])
  })

  test('a body that goes on and on is cut off after its answer', async () => {
    const { port } = await serving(app)
    const { socket, closed } = wire(port)
    socket.write(request('POST /api/echo', [HOST, WITH_KEY, JSON_TYPE, 'Transfer-Encoding: chunked']))
    const more = () =>
      void (socket.writable && socket.write(`4000\r\n${piece}\r\n`, () => setImmediate(more)))
    more()
    expect(statusesIn(await closed).slice(0, 1)).toEqual([413])
  })

  test('after a refused small body the connection goes on with the next request', async () => {
    const { port } = await serving(app)
    const refused = request('POST /api/echo', [HOST, JSON_TYPE, 'Content-Length: 5'], 'hello')
    const text = await talk(port, refused + request('GET /health', [HOST, LAST]))
    expect(statusesIn(text)).toEqual([401, 200])
  })

  test('a client that asks before it sends is let send, or refused at once', async () => {
    const { port } = await serving(app)
    const asking = (key: string[]) =>
      request('POST /api/echo', [HOST, ...key, JSON_TYPE, LAST, 'Content-Length: 13', 'Expect: 100-continue'])
    const allowed = wire(port)
    allowed.socket.write(asking([WITH_KEY]))
    await allowed.until(/100 Continue/)
    allowed.socket.write('{"text":"abc"}'.slice(0, 13))
    expect(statusesIn(await allowed.closed)).toEqual([100, 422])
    expect(statusesIn(await talk(port, asking([])))).toEqual([401])
  })

  test('a body that breaks off is nobody’s error', async () => {
    const { port } = await serving(app)
    const { socket, closed } = wire(port)
    socket.end(request('POST /api/echo', [HOST, WITH_KEY, JSON_TYPE, 'Content-Length: 50'], 'half'))
    await closed
    expect(statusesIn(await talk(port, request('GET /health', [HOST, LAST])))).toEqual([200])
  })
})

describe('slow clients', () => {
  const FAST_LIMITS = {
    headers_timeout_ms: 1000,
    request_timeout_ms: 1500,
    check_every_ms: 50,
    keep_alive_ms: 300,
  }

  test('the limits of an installation', () => {
    expect(SERVER_LIMITS).toEqual({
      headers_timeout_ms: 5000,
      request_timeout_ms: 7000,
      check_every_ms: 1000,
      keep_alive_ms: 5000,
      unread_ms: 30_000,
      header_bytes: 8192,
      requests_per_connection: 8,
      connections: 512,
      connections_per_address: 64,
      drain_ms: 8000,
    })
  })

  itInDepth(
    '300 that never finish their headers are all closed, and others are served meanwhile',
    async () => {
      const { port } = await serving(app, { ...FAST_LIMITS, connections_per_address: 400 })
      const slow = Array.from({ length: 300 }, (_, index) => {
        const client = wire(port, `127.0.1.${1 + (index % 5)}`)
        client.socket.write('GET /health HTTP/1.1\r\nHost: loc')
        return client
      })
      expect(statusesIn(await talk(port, request('GET /health', [HOST, LAST]), '127.0.2.1'))).toEqual([200])
      const ends = await Promise.all(slow.map(({ closed }) => closed))
      expect(ends.map(statusesIn).flat()).toEqual(Array.from({ length: 300 }, () => 408))
    },
  )

  test('one that says nothing at all is closed', async () => {
    const { port } = await serving(app, FAST_LIMITS)
    await wire(port).closed
  })

  itInDepth(
    'one that stops in the middle of a body is closed, with and without the right to send it',
    async () => {
      const { port } = await serving(app, FAST_LIMITS)
      const head = (more: string[]) =>
        request('POST /api/echo', [HOST, JSON_TYPE, 'Content-Length: 1000', ...more], '{"te')
      expect(statusesIn(await talk(port, head([WITH_KEY])))).toEqual([408])
      expect(statusesIn(await talk(port, head([])))).toEqual([401])
    },
  )

  itInDepth('a body that drips is closed all the same', async () => {
    const { port } = await serving(app, FAST_LIMITS)
    const client = wire(port)
    client.socket.write(request('POST /api/echo', [HOST, WITH_KEY, JSON_TYPE, 'Content-Length: 1000'], '{"'))
    const drips = setInterval(() => client.socket.writable && client.socket.write('x'), 20)
    onTestFinished(() => clearInterval(drips))
    expect(statusesIn(await client.closed)).toEqual([408])
  })

  itInDepth('an idle connection is closed', async () => {
    const { port } = await serving(app, FAST_LIMITS)
    expect(statusesIn(await talk(port, request('GET /health', [HOST])))).toEqual([200])
  })
})

describe('greedy clients', () => {
  const servingSlowly = async (gate: Promise<void>, limits: Partial<typeof SERVER_LIMITS>, host?: string) => {
    let begun = 0
    const slow = endpoint({
      method: 'GET',
      path: '/api/slow',
      id: 'slow',
      summary: 'Waits',
      level: 'open',
      tags: [],
      replies: { 200: z.strictObject({}) },
      handler: async () => {
        begun++
        await gate
        return { status: 200, body: {} }
      },
    })
    const { port } = await serving(appOf(withSystem([slow])), limits, host)
    return { port, begun: () => begun }
  }
  const asked = (port: number, from: string, more: string[] = []) => {
    const client = wire(port, from)
    client.socket.write(request('GET /health', [HOST, ...more]))
    return client
  }
  const held = async (port: number, from: readonly string[]) => {
    const clients = from.map((address) => asked(port, address))
    for (const { until } of clients) await until(/"status":"ok"/)
    return clients
  }
  const answered = async (port: number, from: string) =>
    statusesIn(await asked(port, from, [LAST]).closed).includes(200)

  test('one holder has so many connections and no more; leaving makes room', async () => {
    const { port } = await serving(app, { connections_per_address: 4 }, '::')
    // All addresses of loopback are one host.
    const clients = await held(port, ['127.0.3.1', '127.0.3.2', '127.0.3.3', '127.0.3.4', '127.0.3.5'])
    expect(await answered(port, '::1')).toBe(true)
    await clients[0]!.closed
    expect(clients.filter(({ socket }) => socket.closed)).toHaveLength(1)
    for (const { socket } of clients.slice(1)) socket.destroy()
    await expect.poll(() => answered(port, '127.0.3.6')).toBe(true)
  })

  test('half-sent requests that come back whenever they are closed lock nobody out behind their address', async () => {
    const { port } = await serving(app, { connections_per_address: 4 })
    let is_over = false
    const half = (): void => {
      if (is_over) return
      const { socket } = wire(port, '127.0.3.1')
      socket.on('close', () => setTimeout(half, 1))
      socket.write('GET /health HTTP/1.1\r\n')
    }
    for (let i = 0; i < 4; i++) half()
    onTestFinished(() => void (is_over = true))
    await expect.poll(() => answered(port, '127.0.3.2')).toBe(true)
  })

  test('a holder whose places are all at work is refused, and none of these is cut off', async () => {
    const gate = Promise.withResolvers<void>()
    const { port, begun } = await servingSlowly(gate.promise, { connections_per_address: 3 })
    const busy = ['127.0.4.1', '127.0.4.2', '127.0.4.3'].map((from) => wire(port, from))
    for (const { socket } of busy) socket.write(request('GET /api/slow', [HOST, LAST]))
    await expect.poll(begun).toBe(3)
    expect(await answered(port, '127.0.4.4')).toBe(false)
    gate.resolve()
    expect((await Promise.all(busy.map(({ closed }) => closed))).flatMap(statusesIn)).toEqual([200, 200, 200])
  })

  test('a trusted proxy speaks for many, is not counted, and takes no share of its neighbours', async () => {
    const { port } = await serving(app, { connections_per_address: 2 })
    await held(port, Array<string>(5).fill('127.0.0.9'))
    expect(await answered(port, '127.0.0.1')).toBe(true)
  })

  test('when all places are taken, the largest holder gives up what is idle longest', async () => {
    const { port } = await serving(app, { connections: 4 }, '::')
    const [small] = await held(port, ['::1'])
    const [oldest, ...others] = await held(port, ['127.0.4.1', '127.0.4.2', '127.0.4.3'])
    await held(port, ['::1'])
    await oldest!.closed
    expect([small!, ...others].filter(({ socket }) => socket.closed)).toEqual([])
  })

  test('when all places are taken by requests at work, nobody is cut off', async () => {
    const gate = Promise.withResolvers<void>()
    const { port, begun } = await servingSlowly(gate.promise, { connections: 3 }, '::')
    const busy = ['127.0.4.1', '127.0.4.2', '127.0.4.3'].map((from) => wire(port, from))
    for (const { socket } of busy) socket.write(request('GET /api/slow', [HOST, LAST]))
    await expect.poll(begun).toBe(3)
    expect(await answered(port, '::1')).toBe(false)
    gate.resolve()
    expect((await Promise.all(busy.map(({ closed }) => closed))).flatMap(statusesIn)).toEqual([200, 200, 200])
  })
})

describe('clients that keep a place without using it', () => {
  const SHORT = { keep_alive_ms: 300, check_every_ms: 50 }
  /** Sends empty lines all the time, as one would who wants to seem alive, until the server has hung up. */
  const gone = (socket: Socket) =>
    expect
      .poll(() => {
        if (socket.writable) socket.write('\r\n')
        return socket.destroyed
      })
      .toBe(true)

  itInDepth('empty lines do not keep an idle connection', async () => {
    const { port } = await serving(app, SHORT)
    const client = wire(port)
    client.socket.write(request('GET /health', [HOST]))
    await gone(client.socket)
    expect(statusesIn(client.received())).toEqual([200])
  })

  itInDepth('a client that takes nothing of its answer is let go, and one that is slow is not', async () => {
    const body = 'x'.repeat(16 * 1024 * 1024)
    const large = endpoint({
      method: 'GET',
      path: '/api/large',
      id: 'large',
      summary: 'Much',
      level: 'open',
      tags: [],
      replies: { 200: { content_type: 'text/plain', description: 'Much' } },
      handler: async () => ({ status: 200, body }),
    })
    const { port } = await serving(appOf(withSystem([large])), { ...SHORT, unread_ms: 3000 })
    const slow = wire(port)
    const unread = wire(port)
    unread.socket.pause()
    for (const { socket } of [unread, slow]) socket.write(request('GET /api/large', [HOST, LAST]))
    slow.socket.on('data', () => {
      slow.socket.pause()
      setTimeout(() => slow.socket.resume(), 20)
    })
    await gone(unread.socket)
    expect((await slow.closed).length).toBeGreaterThan(body.length)
  })

  test('whoever sends half of a request gives way to newcomers, the one with most of it first', async () => {
    const never = { headers_timeout_ms: 600_000, request_timeout_ms: 600_000, keep_alive_ms: 600_000 }
    const { port } = await serving(app, { ...SHORT, ...never, connections: 4 })
    const half = Array.from({ length: 4 }, () => wire(port))
    for (const { socket, until } of half) {
      socket.write(
        request('POST /api/echo', [HOST, WITH_KEY, JSON_TYPE, 'Content-Length: 20', 'Expect: 100-continue']),
      )
      await until(/100 Continue/)
    }
    await expect
      .poll(async () => statusesIn(await talk(port, request('GET /health', [HOST, LAST])).catch(() => '')))
      .toEqual([200])
    expect(
      half.filter(({ socket }) => socket.destroyed || socket.readyState !== 'open').length,
    ).toBeGreaterThan(0)
  })

  itInDepth('a client that is told off and does not hang up gives its place back', async () => {
    const never = { headers_timeout_ms: 600_000, request_timeout_ms: 600_000 }
    const { port } = await serving(app, { ...SHORT, ...never, connections_per_address: 1 })
    const silent = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    silent.on('error', () => undefined).resume()
    onTestFinished(() => void silent.destroy())
    silent.write('garbage\r\n\r\n')
    await new Promise((resolve) => silent.once('end', resolve))
    const next = () => talk(port, request('GET /health', [HOST, LAST]))
    await expect.poll(async () => statusesIn(await next())).toEqual([200])
  })
})

describe('where to listen', () => {
  const on = (host: string, port: number) => httpServer({ app, host, port, isTrustedProxy: () => false })

  test('a taken port is one line that says so', async () => {
    const { port } = await serving(app)
    const second = on('127.0.0.1', port)
    onTestFinished(() => second.stop())
    await expect(second.listen()).rejects.toMatchObject({
      code: 'bad_configuration',
      message: `PLUMBLINE_LISTEN: cannot listen on 127.0.0.1:${port}: the port is taken by another process. Stop it, or choose another port.`,
    })
  })

  test('an address of another host is one line that says so', async () => {
    await expect(on('192.0.2.1', 0).listen()).rejects.toThrow(
      /192\.0\.2\.1:0: this host does not have that address/,
    )
  })
})
