/** What goes out as gzip, to whom, and what the tags and headers say of it. */
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../src/http/contract.ts'
import { appOf, ask, mapMemory, withKey, withSystem } from './support.ts'
import { request, serving, talk } from './socket.ts'

const LONG = 'word '.repeat(1000)

type Given = Partial<Parameters<typeof endpoint>[0]> & { readonly headers_sent?: Record<string, string> }

const text = (path: `/${string}`, body: string | Uint8Array, { headers_sent = {}, ...more }: Given = {}) =>
  endpoint({
    method: 'GET',
    path,
    id: path,
    summary: 'A text',
    level: 'open',
    tags: [],
    replies: { 200: { content_type: 'text/plain; charset=utf-8', description: 'A text' } },
    handler: async () => ({ status: 200, body, headers: headers_sent }),
    ...more,
  })

let made = 0
const ENDPOINTS = withSystem([
  text('/api/long', LONG),
  text('/api/long-bytes', Buffer.from(LONG)),
  text('/api/least', 'x'.repeat(1024)),
  text('/api/short', 'x'.repeat(1023)),
  text('/api/image', LONG, { headers_sent: { 'Content-Type': 'image/png' } }),
  text('/api/secret', LONG, { method: 'POST', secret_reply: true }),
  text('/api/tagged', LONG, { headers_sent: { ETag: '"7"' }, reply_headers: { ETag: 'The revision' } }),
  text('/api/tag', LONG, { headers_sent: { ETag: '"a"', Vary: 'Accept' } }),
  endpoint({
    method: 'GET',
    path: '/api/stream',
    id: 'stream',
    summary: 'Events',
    level: 'open',
    tags: [],
    replies: { 200: { content_type: 'text/event-stream', description: 'Events' } },
    handler: () => new Response(LONG, { headers: { 'content-type': 'text/event-stream' } }),
  }),
  endpoint({
    method: 'POST',
    path: '/api/made',
    id: 'made',
    summary: 'Makes one',
    level: 'keyed',
    tags: [],
    replies: { 201: z.strictObject({ made: z.int(), note: z.string() }) },
    handler: async () => ({ status: 201, body: { made: ++made, note: LONG } }),
  }),
])
const app = appOf(ENDPOINTS, { answers: mapMemory() })
const gzip = { 'accept-encoding': 'gzip' }

const unzipped = async (answer: Response) => gunzipSync(await answer.bytes()).toString()

describe('an answer', () => {
  test.each(['/api/long', '/api/long-bytes'])('%s goes out smaller to whoever takes it', async (path) => {
    const answer = await ask(app, path, { headers: gzip })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(200)
    expect(await unzipped(answer)).toBe(LONG)
  })

  test.each([
    ['/api/least', 'gzip'],
    ['/api/short', null],
    ['/api/image', null],
    ['/api/secret', null],
    ['/api/tagged', null],
    ['/api/stream', null],
  ])('%s is sent as %s', async (path, coding) => {
    const method = path === '/api/secret' ? 'POST' : 'GET'
    const answer = await ask(app, path, { method, headers: gzip })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(answer.headers.get('vary')).toBe(coding === null ? null : 'Accept-Encoding')
  })

  test.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate, br', null],
    ['gzip;q=0', null],
    ['gzip; q=0.0, *', null],
    ['*;q=0', null],
    ['gzip;q=none', null],
    ['', null],
  ])('to Accept-Encoding "%s" it is sent as %s', async (accepted, coding) => {
    const answer = await ask(app, '/api/long', { headers: { 'accept-encoding': accepted } })
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    expect(coding === null ? await answer.text() : await unzipped(answer)).toBe(LONG)
  })

  test('a HEAD has the headers of the GET', async () => {
    const { port } = await serving(app)
    const headersOf = async (method: string) => {
      const said = await talk(
        port,
        request(`${method} /api/long`, ['Host: localhost', 'Accept-Encoding: gzip', 'Connection: close']),
      )
      const [head = '', body] = said.split('\r\n\r\n', 2)
      return { head: head.replace(/(?:x-request-id|Date): .*/g, ''), body }
    }
    const head = await headersOf('HEAD')
    expect(head).toEqual({ ...(await headersOf('GET')), body: '' })
    expect(head.head).toMatch(/content-encoding: gzip/)
  })
})

describe('the tag of an answer', () => {
  test('stays as it is without gzip, and beside its own Vary', async () => {
    const answer = await ask(app, '/api/tag')
    expect(answer.headers.get('etag')).toBe('"a"')
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding')
  })

  test('is weak with it', async () => {
    const answer = await ask(app, '/api/tag', { headers: gzip })
    expect(answer.headers.get('etag')).toBe('W/"a"')
    expect(await unzipped(answer)).toBe(LONG)
  })

  test.each(['"a"', 'W/"a"'])('%s is known again, whatever the encoding', async (held) => {
    const answer = await ask(app, '/api/tag', { headers: { ...gzip, 'if-none-match': held } })
    expect(answer.status).toBe(304)
    expect(answer.headers.get('etag')).toBe('W/"a"')
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect(answer.headers.get('content-encoding')).toBeNull()
    const plain = await ask(app, '/api/tag', { headers: { 'if-none-match': held } })
    expect([plain.status, plain.headers.get('etag')]).toEqual([304, '"a"'])
  })

  test('that callers send back keeps its bytes', async () => {
    const answer = await ask(app, '/api/tagged', { headers: gzip })
    expect(answer.headers.get('etag')).toBe('"7"')
    expect(await answer.text()).toBe(LONG)
  })
})

test('a repeated call is answered in the encoding that this caller takes', async () => {
  const call = (headers: Record<string, string>) =>
    ask(app, '/api/made', { method: 'POST', headers: { ...withKey, 'idempotency-key': 'one', ...headers } })
  const first = JSON.parse(await unzipped(await call(gzip))) as unknown
  const again = await call({})
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('content-encoding')).toBeNull()
  expect(await again.json()).toEqual(first)
  expect(JSON.parse(await unzipped(await call(gzip)))).toEqual(first)
  expect(made).toBe(1)
})

test('a description that is the same for everybody is made small once', async () => {
  const small = async () => {
    const answer = await ask(app, '/docs/swagger-ui-bundle.js', { headers: gzip })
    return answer.bytes()
  }
  const [first, second] = [await small(), await small()]
  expect(first.byteLength).toBeLessThan(700_000)
  expect(Buffer.compare(first, second)).toBe(0)
})
