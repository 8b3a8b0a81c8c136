/**
 * Random requests made of hostile parts, over real sockets: the server answers or hangs up, never breaks, and does
 * nothing for callers without the key.
 */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../src/http/contract.ts'
import { afterAnswer, appOf, generator, KEY, recorder, withSystem } from './support.ts'
import { request, serving, statusesIn, talk } from './socket.ts'
import { byTier } from '../kit/tier.ts'

const COUNT = byTier(200, 1000, 100_000)
const AT_ONCE = 40

const LINES = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'get',
  'G\tET',
  '',
  'POST POST',
  '\x00',
  'GET /\x00',
  'BREW',
  'PRI *',
]
const TARGETS = [
  '/api/deeds',
  '/api/deeds',
  '/api/deeds/',
  '//api/deeds',
  '/api/%64eeds',
  '/api/deeds?x=%',
  '/api/deeds;a',
  '/api/deeds#',
  '*',
  'http://localhost/api/deeds',
  '/..',
  '/%00',
  `/${'a'.repeat(9000)}`,
  '/api/deeds?__proto__=1',
  '/api\\deeds',
  '\xff',
]
const HEADERS = [
  'Host: localhost',
  'Host: localhost',
  'Host: evil.example',
  'Host:',
  'host: localhost:99999',
  'Host: [::1',
  'Host: localhost, localhost',
  'X-API-Key: wrong',
  'X-API-Key:',
  'X_API_Key: x',
  'X-API-Key: \xe4',
  '__proto__: x',
  'constructor: x',
  'Remote-User: root',
  'Remote_User: root',
  'Content-Length: 2',
  'Content-Length: -1',
  'Content-Length: 2, 2',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: x',
  'Content-Type: application/json',
  'Content-Type: text/plain',
  'Expect: 100-continue',
  'Expect: x',
  'Connection: keep-alive, X-API-Key',
  'Sec-Fetch-Site: cross-site',
  'Origin: null',
  'X-Forwarded-For: 127.0.0.1',
  ' folded: x',
  'no colon',
  `X-Long: ${'x'.repeat(8000)}`,
  'X-A: \x01',
  'Idempotency-Key: k k',
]
const BODIES = [
  '',
  '{}',
  '[]',
  '{"__proto__":{}}',
  '2\r\n{}\r\n0\r\n\r\n',
  'z\r\n',
  '[['.repeat(300),
  '{"a":',
  '\xff\xfe',
  '0\r\nX-API-Key: x\r\n\r\n',
]

test(`${COUNT} hostile requests do nothing and break nothing`, async () => {
  const deeds: string[] = []
  const act = (method: 'POST' | 'PUT' | 'DELETE') =>
    endpoint({
      method,
      path: '/api/deeds',
      id: method,
      summary: 'A deed that needs the key',
      level: 'keyed',
      tags: [],
      body: z.unknown(),
      replies: { 200: z.strictObject({}) },
      handler: async (call) => {
        deeds.push(call.class)
        return { status: 200, body: {} }
      },
    })
  const { lines, log, metrics } = recorder()
  const app = appOf(withSystem([act('POST'), act('PUT'), act('DELETE')]), { log, metrics })
  const { port } = await serving(app, {
    headers_timeout_ms: 200,
    request_timeout_ms: 400,
    check_every_ms: 50,
    keep_alive_ms: 50,
  })
  const random = generator(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const hostile = () => {
    const headers = Array.from({ length: Math.floor(random() * 7) }, () => pick(HEADERS))
    return request(`${pick(LINES)} ${pick(TARGETS)}`, [...headers, 'Connection: close'], pick(BODIES))
  }
  const statuses = new Set<number>()
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (let round = 0; round < COUNT / AT_ONCE; round++)
      for (const status of statusesIn(await talk(port, hostile()))) statuses.add(status)
  })
  await Promise.all(callers)
  await afterAnswer()
  expect(deeds).toEqual([])
  expect([...statuses].filter((status) => status >= 500)).toEqual([])
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  // The server is as it was, and the key still opens it.
  const proper = ['Host: localhost', `X-API-Key: ${KEY}`, 'Connection: close']
  expect(statusesIn(await talk(port, request('DELETE /api/deeds', proper)))).toEqual([200])
})
