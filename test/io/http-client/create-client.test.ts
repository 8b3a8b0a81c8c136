/** The HTTP client against servers that behave, and against servers that do not. */
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../src/io/http-client/create-client.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import type { HttpClient, HttpRequest } from '../../../src/ports/http-client.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { answer, eachRawServer } from './raw-server.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const serve = eachRawServer()
const clients: HttpClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})

function client(clock = systemClock): HttpClient {
  const made = createHttpClient({ clock })
  clients.push(made)
  return made
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  signal: new AbortController().signal,
  ...more,
})

/** What a failed call says outside and inside. */
const failure = async (work: Promise<unknown>): Promise<{ code: string; message: string; all: string }> => {
  const error = await work.then(
    () => Promise.reject(new Error('the call worked')),
    (thrown: unknown) => thrown as Error & { code: string; details?: unknown },
  )
  return {
    code: error.code,
    message: error.message,
    all: JSON.stringify(error.details ?? null) + error.stack,
  }
}

describe('an answer', () => {
  it('of JSON that would take far more than its length is refused unparsed, with the peer and the reason', async () => {
    const bodies: readonly [string, string][] = [
      ['['.repeat(70) + ']'.repeat(70), 'nests deeper than 64 levels'],
      [`[${'{},'.repeat(300_000)}{}]`, 'has more than 500000 values'],
    ]
    for (const [body, why] of bodies) {
      const server = await serve((socket) => socket.write(answer('200 OK', {}, body)))
      const { code, message } = await failure(client().request(get(`${server.origin}/list?key=x`)))
      expect([code, message]).toEqual([
        'component_unavailable',
        `${server.origin}/list answered with JSON that ${why}.`,
      ])
    }
    const server = await serve((socket) => socket.write(answer('200 OK', {}, bodies[1]![1])))
    const asked = get(`${server.origin}/list`, { max_values: 1_000_000 })
    expect((await client().request(asked)).status).toBe(200)
  })

  it('of any status is an answer, with its headers, its text and how long it asks to wait', async () => {
    const server = await serve((socket) =>
      socket.write(
        answer(
          '429 Slow',
          { 'Retry-After': '7', Link: '<a>; rel="next"\r\nlink: <b>; rel="first"' },
          'später',
        ),
      ),
    )
    expect(await client().request(get(`${server.origin}/x?y=1`))).toEqual({
      status: 429,
      status_text: 'Slow',
      headers: expect.objectContaining({ link: '<a>; rel="next", <b>; rel="first"' }) as unknown,
      text: 'später',
      retry_after_ms: 7000,
    })
    expect(server.received[0]).toMatch(/^GET \/x\?y=1 HTTP\/1\.1\r\n/)
    expect(server.received[0]).toMatch(/\r\naccept-encoding: identity\r\n/i)
  })

  it('to a JSON body carries its type and the headers that were given', async () => {
    const server = await serve((socket) => socket.write(answer('200 OK', {}, '{}')))
    await client().request(
      get(server.origin, { method: 'PATCH', json: { a: ['ü'] }, headers: { 'X-API-Key': 'k' } }),
    )
    expect(server.received[0]).toMatch(/\r\ncontent-type: application\/json\r\n/i)
    expect(server.received[0]).toMatch(/\r\nx-api-key: k\r\n/i)
    expect(Buffer.from(server.received[0]!.split('\r\n\r\n')[1]!, 'latin1').toString()).toBe('{"a":["ü"]}')
  })

  it('that redirects is not followed', async () => {
    const server = await serve((socket) => socket.write(answer('302 Found', { location: '/elsewhere' })))
    expect((await client().request(get(server.origin))).status).toBe(302)
    expect(server.received).toHaveLength(1)
  })

  it('with a date to wait for is measured against the clock', async () => {
    const clock = handClock()
    const server = await serve((socket) =>
      socket.write(answer('503 Busy', { 'retry-after': new Date(clock.now() + 90_000).toUTCString() })),
    )
    expect((await client(clock).request(get(server.origin))).retry_after_ms).toBe(90_000)
  })
})

describe('a server that does not behave', () => {
  it('and never answers is left at the deadline', async () => {
    const clock = handClock()
    const server = await serve(() => clock.pass(5_000))
    const { code, message } = await failure(client(clock).request(get(`${server.origin}/zones?token=hush`)))
    expect([code, message]).toEqual([
      'component_unavailable',
      `${server.origin}/zones did not answer within 5000 ms.`,
    ])
    await server.left()
  })

  it('and stops in the middle of the body is left at the deadline', async () => {
    const clock = handClock()
    const server = await serve((socket) => {
      socket.write(answer('200 OK', { 'content-length': '100' }, 'half'))
      setImmediate(() => clock.pass(2000))
    })
    const { message } = await failure(client(clock).request(get(server.origin, { deadline_ms: 2000 })))
    expect(message).toMatch(/did not answer within 2000 ms/)
    await server.left()
  })

  it('and sends byte after byte without end is stopped at the limit', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const pour = () => {
        while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(1024)}\r\n`));
      }
      socket.on('drain', pour)
      pour()
    })
    const { code, message } = await failure(client().request(get(server.origin, { max_bytes: 4096 })))
    expect([code, message]).toEqual([
      'component_unavailable',
      `${server.origin}/ answered with more than 4096 bytes.`,
    ])
    await server.left()
  })

  it('and announces too much is not read at all', async () => {
    const server = await serve((socket) => socket.write(answer('200 OK', { 'content-length': '99999999' })))
    const { message } = await failure(client().request(get(server.origin, { max_bytes: 1000 })))
    expect(message).toMatch(/more than 1000 bytes/)
    await server.left()
  })

  itInDepth('and sends a gzip bomb has it neither asked for nor inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
    const server = await serve((socket) => {
      socket.write(answer('200 OK', { 'content-encoding': 'gzip', 'content-length': String(bomb.length) }))
      socket.write(bomb)
    })
    const { code, message } = await failure(client().request(get(server.origin)))
    expect([code, message]).toEqual([
      'component_unavailable',
      `${server.origin}/ answered with a compressed body.`,
    ])
    await server.left()
  })

  it.each([
    ['breaks the connection', (s: Socket) => s.resetAndDestroy(), /broke the connection/],
    ['hangs up without a word', (s: Socket) => s.end(), /broke the connection/],
    [
      'hangs up in the middle of the body',
      (s: Socket) => s.end(answer('200 OK', { 'content-length': '100' }, 'half')),
      /broke|failed|does not speak/,
    ],
    [
      'sends huge headers',
      (s: Socket) => s.write(answer('200 OK', { 'x-big': 'y'.repeat(70_000) })),
      /too many headers/,
    ],
    ['speaks something else', (s: Socket) => s.write('SSH-2.0-x\r\n'), /does not speak HTTP/],
  ])('and %s is a component that is not available', async (_what, misbehave, words) => {
    const server = await serve((socket) => misbehave(socket))
    const { code, message } = await failure(client().request(get(`${server.origin}/p?q=1`)))
    expect(code).toBe('component_unavailable')
    expect(message).toMatch(words)
    expect(message.startsWith(`${server.origin}/p `)).toBe(true)
  })

  it('and is not there refuses the connection', async () => {
    const { code, message } = await failure(client().request(get('http://127.0.0.1:1/')))
    expect([code, message]).toEqual(['component_unavailable', 'http://127.0.0.1:1/ refused the connection.'])
  })
})

describe('a call', () => {
  it('ends with its signal, as the reason of whoever ended it', async () => {
    const end = new AbortController()
    const reason = new Error('the pass is over')
    const server = await serve(() => end.abort(reason))
    await expect(client().request(get(server.origin, { signal: end.signal }))).rejects.toBe(reason)
    await server.left()
    await expect(client().request(get(server.origin, { signal: end.signal }))).rejects.toBe(reason)
    expect(server.received).toHaveLength(1)
  })

  it('that fails shows no query, header, body or credential', async () => {
    const server = await serve((socket) => socket.resetAndDestroy())
    const told = await failure(
      client().request(
        get(`${server.origin.replace('//', '//user:canary-1@')}/p?key=canary-2`, {
          method: 'POST',
          headers: { authorization: 'Bearer canary-3' },
          json: { secret: 'canary-4' },
        }),
      ),
    )
    expect(told.code).toBe('component_unavailable')
    expect(told.message + told.all).not.toMatch(/canary/)
  })

  it('with a header that cannot be sent, such as a token with a line break, says so without showing it', async () => {
    const told = await failure(
      client().request(get('http://127.0.0.1:1/', { headers: { authorization: 'canary\r\nx: y' } })),
    )
    expect(told.message).toMatch(/a header or the address is malformed/)
    expect(told.message + told.all).not.toMatch(/canary/)
  })

  it.each(['ftp://example.org/', 'file:///etc/passwd', 'no address'])('to %s is refused', async (url) => {
    expect((await failure(client().request(get(url)))).code).toBe('bad_configuration')
  })

  it('after the end is refused, and the end closes what is under way', async () => {
    const one = client()
    const server = await serve(() => void one.close())
    expect((await failure(one.request(get(server.origin)))).code).toBe('component_unavailable')
    expect((await failure(one.request(get(server.origin)))).code).toBe('shutting_down')
    await server.left()
  })
})

it('leaves no sleeper behind', async () => {
  const clock = handClock()
  const server = await serve((socket) => socket.write(answer('200 OK')))
  await client(clock).request(get(server.origin))
  expect(clock.sleepers()).toBe(0)
})
