/** What stands between the socket and Hono reads nothing in its own way, refuses nothing by itself and says nothing. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../src/http/contract.ts'
import { afterAnswer, appOf, KEY, recorder, withSystem } from '../support.ts'
import { request, serving, statusesIn, talk, wire } from '../socket.ts'

const LAST = 'Connection: close'
const HOST = 'Host: localhost'

const seen: string[] = []

/** The same path by two methods: whoever is read as GET by mistake is found here. */
const twofold = (['GET', 'POST'] as const).map((method) =>
  endpoint({
    method,
    path: '/api/twofold',
    id: `twofold${method}`,
    summary: 'Tells its method',
    level: 'keyed',
    tags: [],
    replies: { 200: z.strictObject({ method: z.string() }) },
    handler: async () => {
      seen.push(method)
      return { status: 200, body: { method } }
    },
  }),
)

const streaming = (pull: (controller: ReadableStreamDefaultController) => void) =>
  endpoint({
    method: 'GET',
    path: '/api/stream',
    id: 'stream',
    summary: 'Streams',
    level: 'open',
    tags: [],
    replies: { 200: { content_type: 'text/plain', description: 'Pieces' } },
    handler: () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 })),
  })

function consoleWatched() {
  const said = [vi.spyOn(console, 'error'), vi.spyOn(console, 'info')]
  onTestFinished(() => said.forEach((spy) => spy.mockRestore()))
  return () => said.flatMap((spy) => spy.mock.calls)
}

test.each([
  ['no Host', 'GET /api/twofold', []],
  ['a Host with a path', 'GET /api/twofold', ['Host: localhost/x']],
  ['a Host with a blank', 'GET /api/twofold', ['Host: local host']],
  ['a target that is no path', 'OPTIONS *', [HOST]],
  ['the address of another server', 'GET http://other.example/api/twofold', [HOST]],
  ['a backslash', 'GET /api\\twofold', [HOST]],
  ['a dot segment', 'GET /api/x/../twofold', [HOST]],
  ['two Hosts', 'GET /api/twofold', [HOST, 'Host: other.example']],
  ['two keys', 'GET /api/twofold', [HOST, 'X-API-Key: x']],
])('%s is refused in our words, logged and counted', async (_, line, headers) => {
  seen.length = 0
  const { log, metrics, lines, counts } = recorder()
  const { port } = await serving(appOf(withSystem(twofold), { log, metrics }))
  const said = await talk(port, request(line, [...headers, `X-API-Key: ${KEY}`]))
  await afterAnswer()
  expect(statusesIn(said)).toEqual([400])
  expect(said).toContain('application/problem+json')
  expect(said).toContain('"code":"malformed_request"')
  expect(said).toContain("default-src 'none'")
  expect(lines.map(({ facts }) => facts['status'])).toEqual([400])
  expect(counts.map(({ labels }) => labels['route'])).toContain('refused')
  expect(seen).toEqual([])
})

test.each(['GET', 'POST'])('%s stays what it is where the port of the Host is none', async (method) => {
  const { port } = await serving(appOf(withSystem(twofold)))
  const headers = ['Host: 127.0.0.1:99999', `X-API-Key: ${KEY}`, LAST]
  const said = await talk(port, request(`${method} /api/twofold`, headers))
  expect(said).toContain(`{"method":"${method}"}`)
})

test.each(['Host: LOCALHOST', 'Host: localhost:80', 'Host: [::1]:8080', 'Host: localhost.'])(
  '%s is served',
  async (host) => {
    const { port } = await serving(appOf(withSystem(twofold)))
    const said = await talk(port, request('GET /api/twofold', [host, `X-API-Key: ${KEY}`, LAST]))
    expect(statusesIn(said)).toEqual([200])
  },
)

test('a stream that fails ends without a word, in the answer and beside it', async () => {
  const said = consoleWatched()
  let pulled = 0
  const failing = streaming((controller) => {
    if (++pulled > 2) throw new Error('nobody is to read this')
    controller.enqueue(new TextEncoder().encode(`piece ${pulled}\n`))
  })
  const { port } = await serving(appOf(withSystem([failing])))
  const text = await talk(port, request('GET /api/stream', [HOST]))
  expect(text).toContain('piece 2')
  expect(text).not.toContain('nobody')
  expect(text).not.toMatch(/\r\n0\r\n/)
  expect(said()).toEqual([])
})

test('a reader who leaves is no error', async () => {
  const said = consoleWatched()
  let pulled = 0
  const endless = streaming((controller) => {
    pulled++
    controller.enqueue(new Uint8Array(16 * 1024))
  })
  const { port } = await serving(appOf(withSystem([endless])))
  const { socket, until } = wire(port)
  socket.write(request('GET /api/stream', [HOST]))
  await until(/200 OK/)
  socket.destroy()
  const settled = async () => {
    const before = pulled
    await new Promise((resolve) => setTimeout(resolve, 50))
    return pulled - before
  }
  await expect.poll(settled).toBe(0)
  expect(said()).toEqual([])
})

test('what is thrown and is no error is answered and logged like one', async () => {
  const said = consoleWatched()
  const { log, lines } = recorder()
  const odd = endpoint({
    method: 'GET',
    path: '/api/odd',
    id: 'odd',
    summary: 'Throws a text',
    level: 'open',
    tags: [],
    replies: { 200: z.strictObject({}) },
    handler: () => {
      // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
      throw 'a text'
    },
  })
  const { port } = await serving(appOf(withSystem([odd]), { log }))
  const text = await talk(port, request('GET /api/odd', [HOST, LAST]))
  await afterAnswer()
  expect(statusesIn(text)).toEqual([500])
  expect(text).toContain('"code":"internal"')
  expect(text).not.toContain('a text')
  expect(lines.map(({ level, facts }) => [level, facts['error']])).toEqual([['error', 'a text']])
  expect(said()).toEqual([])
})

test("the platform's Request and Response stay what they are", async () => {
  const { port } = await serving(appOf(withSystem([])))
  await talk(port, request('GET /health', [HOST, LAST]))
  // Made by the platform itself, whatever stands in its place.
  expect(Response.error()).toBeInstanceOf(Response)
})
