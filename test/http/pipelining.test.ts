/** Many requests at once on one connection: worked on a few at a time, in order, and not at all while nobody reads. */
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Call, endpoint, type Endpoint } from '../../src/http/contract.ts'
import { appOf, KEY, withSystem } from './support.ts'
import { chunked, request, serving, statusesIn, wire } from './socket.ts'
import type { Plain } from '../../src/http/plain.ts'
import { replyOf } from '../../src/http/reply.ts'
import { itInDepth } from '../kit/in-depth.ts'

const HOST = 'Host: localhost'
const AUTHORITY = [HOST, `X-API-Key: ${KEY}`, 'Content-Type: application/json']

/** Answers with the number of the call, when it is let. */
function counting(answer: (call: number) => Promise<string>) {
  const counted = { begun: 0, at_once: 0, max_at_once: 0 }
  const one = endpoint({
    method: 'GET',
    path: '/api/count',
    id: 'count',
    summary: 'Counts',
    level: 'open',
    tags: [],
    replies: { 200: { content_type: 'text/plain', description: 'The number of the call' } },
    handler: async () => {
      counted.begun++
      counted.max_at_once = Math.max(counted.max_at_once, ++counted.at_once)
      const body = await answer(counted.begun)
      counted.at_once--
      return { status: 200, body }
    },
  })
  return { counted, app: appOf(withSystem([one])) }
}

const BURST = request('GET /api/count', [HOST])
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

test('of a burst 8 requests are worked on at once, and every one is answered in its order', async () => {
  const { app, counted } = counting(async (call) => {
    await turn()
    return `<${call}>`
  })
  const { port } = await serving(app)
  const { socket, until } = wire(port)
  socket.write(BURST.repeat(200))
  const text = await until(/<200>/)
  expect([...text.matchAll(/<(\d+)>/g)].map(([, call]) => Number(call))).toEqual(
    Array.from({ length: 200 }, (_, i) => i + 1),
  )
  expect(counted.max_at_once).toBe(8)
})

itInDepth('answers that nobody reads hold the next requests back, until somebody reads', async () => {
  const body = 'x'.repeat(1024 * 1024)
  const { app, counted } = counting(async (call) => `${body}<${call}>`)
  const { port } = await serving(app)
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(BURST.repeat(300))
  await expect.poll(() => counted.begun).toBeGreaterThan(0)
  let before = -1
  // Until the buffers of the kernel are full.
  await expect
    .poll(
      () => {
        const same = before === counted.begun
        before = counted.begun
        return same
      },
      { interval: 500 },
    )
    .toBe(true)
  expect(counted.begun).toBeLessThan(40)
  let taken = 0
  socket.on('data', (bytes) => (taken += bytes.length)).resume()
  await expect.poll(() => taken).toBeGreaterThan(300 * body.length)
  expect(counted.begun).toBe(300)
})

test('in one turn of the event loop a connection gets one request', async () => {
  const turns: number[] = []
  let now = 0
  const count = () => {
    now++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  onTestFinished(() => clearImmediate(next))
  const { app } = counting(async (call) => {
    turns.push(now)
    return `<${call}>`
  })
  const { port } = await serving(app)
  const { socket, until } = wire(port)
  socket.write(BURST.repeat(50))
  await until(/<50>/)
  expect(new Set(turns).size).toBe(50)
})

test.each([
  [
    'with lengths',
    (body: string) => request('POST /api/echo', [...AUTHORITY, `Content-Length: ${body.length}`], body),
  ],
  [
    'in chunks',
    (body: string) =>
      request('POST /api/echo', [...AUTHORITY, 'Transfer-Encoding: chunked'], chunked(body, 1)),
  ],
])('bodies between them stay whole, %s, however they are cut', async (_how, post) => {
  const echo: Endpoint = endpoint({
    method: 'POST',
    path: '/api/echo',
    id: 'echo',
    summary: 'Echo',
    level: 'keyed',
    tags: [],
    body: z.strictObject({ text: z.string() }),
    replies: { 200: z.strictObject({ echoed: z.int() }) },
    handler: async ({ body }) => ({ status: 200, body: { echoed: body.text.length } }),
  })
  const { port } = await serving(appOf(withSystem([echo])))
  const lengths = [0, 1, 100, 3, 20_000, 7, 50_000, 12, 0, 4, 5, 6]
  // Blank lines between members, which look like the end of a head.
  const said = lengths.map((n) => post(`{\r\n\r\n"text":"${'x'.repeat(n)}"\r\n\r\n}`) + BURST).join('')
  for (const piece of [said.length, 1021, 61_440]) {
    const { socket, until } = wire(port)
    for (let at = 0; at < said.length; at += piece) socket.write(said.slice(at, at + piece))
    const text = await until(/(?:echoed[^]*){12}[^]*HTTP[^]*\r\n\r\n\{/)
    expect([...text.matchAll(/"echoed":(\d+)/g)].map(([, length]) => Number(length))).toEqual(lengths)
    expect(statusesIn(text)).toEqual(lengths.flatMap(() => [200, 404]))
  }
})

test('a client that sends all and says that it is done is answered', async () => {
  const { app } = counting(async (call) => `<${call}>`)
  const { port } = await serving(app)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  socket.end(BURST.repeat(30))
  await new Promise((resolve) => socket.once('end', resolve))
  expect(statusesIn(text).length).toBeGreaterThan(0)
})

test('whoever leaves before the first of their answers ends what is done for all of them', async () => {
  const ended: number[] = []
  let begun = 0
  const waits = endpoint({
    method: 'GET',
    path: '/api/waits',
    id: 'waits',
    summary: 'Waits',
    level: 'open',
    tags: [],
    replies: { 200: z.strictObject({}) },
    handler: async ({ signal }) => {
      const number = ++begun
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      ended.push(number)
      return { status: 200, body: {} }
    },
  })
  const { port } = await serving(appOf(withSystem([waits])))
  const { socket } = wire(port)
  socket.write(request('GET /api/waits', [HOST]).repeat(5))
  await expect.poll(() => begun).toBe(5)
  socket.destroy()
  await expect.poll(() => new Set(ended)).toEqual(new Set([1, 2, 3, 4, 5]))
})

test('requests with an expectation that nobody knows are paced like all others', async () => {
  const { port } = await serving(appOf(withSystem([])))
  const { socket, closed } = wire(port)
  socket.write(
    request('GET /health', [HOST, 'Expect: x']).repeat(100) +
      request('GET /health', [HOST, 'Connection: close']),
  )
  expect(statusesIn(await closed)).toEqual([...Array<number>(100).fill(417), 200])
})

test.each(['/openapi.json', '/docs', '/docs/start.js', '/docs/swagger-ui-bundle.js'])(
  '%s is the same bytes for everybody',
  async (target) => {
    const endpoint = withSystem([]).find(({ path }) => path === target)!
    const call = {} as Call
    const ask = () => replyOf(endpoint, call, { check: false }) as Promise<Plain>
    const { body } = await ask()
    expect(body).toBeInstanceOf(Uint8Array)
    expect((await ask()).body).toBe(body)
  },
)
