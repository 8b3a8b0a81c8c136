/** Hostile strings in every field, and every endpoint called wrongly: clear refusals, no 5xx, nothing changed. */
import { describe, expect, it } from 'vitest'
import { HOSTILE_STRINGS } from '../model/hostile.ts'
import type { Client } from './client.ts'
import { APP, createActive, expectHealed, openTestHouse } from './test-house.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'

/** Fields that take text, and where the hostile text goes. */
const TEXT_FIELDS: readonly [string, (text: string) => Record<string, unknown>, readonly string[]][] = [
  ['domain', (text) => ({ domain: text }), []],
  // An underscore is common in container names, and these are ordinary words.
  [
    'backend_host',
    (text) => ({ backend_host: text }),
    ['a_b.example.com', '__proto__', 'constructor', 'null', 'NaN', '1e3'],
  ],
  ['cors_origin', (text) => ({ cors_enabled: true, cors_origin: text }), ['http://a.example.com']],
  ['default_path', (text) => ({ default_path: text }), []],
  ['health_check_path', (text) => ({ health_check_path: text }), ['/a?b=c']],
  ['tcp_entrypoint', (text) => ({ service_type: 'tcp-proxy', tcp_entrypoint: text }), []],
  ['middleware_config', (text) => ({ middleware_config: { extra_middlewares: [text] } }), []],
  ['static_ip', (text) => ({ static_ip: text }), []],
  ['service_type', (text) => ({ service_type: text }), []],
  ['environment', (text) => ({ environment: text }), []],
  ['protocol', (text) => ({ protocol: text }), []],
]

describe('hostile text', () => {
  itOneIn(6).each(TEXT_FIELDS)(
    'in %s is 422 and names the field; nothing is written',
    async (field, put, harmless) => {
      await using at = await openTestHouse()
      await expectHealed(at.call)
      const bytes = at.routes()
      for (const text of HOSTILE_STRINGS.filter((text) => !harmless.includes(text))) {
        const answer = await at.call('POST', '/api/domains', { body: { ...APP, ...put(text) } })
        const title = `${field} = ${JSON.stringify(text.slice(0, 60))}`
        // A body over the limit never reaches the field.
        expect(text.length > 60_000 ? [413, 422] : [422], title).toContain(answer.status)
        if (answer.status !== 422) continue
        expect(JSON.stringify(answer.body['errors']), title).toContain(`"body","${field}"`)
      }
      expect((await at.call('GET', '/api/domains')).body).toEqual([])
      expect(at.routes()).toBe(bytes)
    },
  )

  itInDepth(
    'in note is refused where it holds controls or template marks, and is data everywhere else',
    async () => {
      await using at = await openTestHouse()
      for (const [index, text] of HOSTILE_STRINGS.filter((text) => text.length <= 1000).entries()) {
        const body = { ...APP, domain: `n${index}.example.com`, note: text }
        const answer = await at.call('POST', '/api/domains', { body })
        expect([201, 422]).toContain(answer.status)
        if (answer.status === 201) {
          const kept = await at.call('GET', `/api/domains/${String(answer.body['domain_id'])}`)
          expect(kept.body['note']).toBe(text)
        }
      }
      expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
    },
  )
})

const ENDPOINTS: readonly (readonly [string, string, Record<string, unknown> | null])[] = [
  ['GET', '/api/domains', null],
  ['POST', '/api/domains', APP],
  ['GET', '/api/domains/stats', null],
  ['GET', '/api/domains/by-name/app.example.com', null],
  ['POST', '/api/domains/render', null],
  ['GET', '/api/domains/drift', null],
  ['GET', '/api/domains/1', null],
  ['PUT', '/api/domains/1', { note: 'x' }],
  ['DELETE', '/api/domains/1', null],
  ['POST', '/api/domains/1/activate', null],
  ['POST', '/api/domains/1/deactivate', null],
  ['POST', '/api/domains/1/disable', null],
  ['POST', '/api/domains/1/deploy', null],
  ['POST', '/api/domains/expose', { domain: 'y.example.com', backend_host: '10.0.0.1', backend_port: 1 }],
  ['POST', '/api/deploy-all', null],
  ['GET', '/api/deploy/status', null],
  ['POST', '/api/estate', { domains: [{ ...APP, domain: 'z.example.com' }] }],
]

const GARBAGE: readonly [string, string][] = [
  ['nothing', ''],
  ['broken JSON', '{"domain":'],
  ['a number', '7'],
  ['null', 'null'],
  ['a list', '[1,2,3]'],
  ['a string', '"x"'],
  ['a prototype', '{"__proto__":{"auth_required":false},"constructor":{"prototype":{}}}'],
  ['unknown fields', JSON.stringify({ ...APP, is_admin: true })],
  [
    'wrong types',
    JSON.stringify({
      domain: 7,
      service_type: [],
      environment: {},
      backend_port: '80',
      auth_required: 'no',
      domains: 7,
    }),
  ],
  ['depth', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['bytes that are no UTF-8', '\ufffd\u0000'],
  ['huge', JSON.stringify({ ...APP, note: 'x'.repeat(9_000_000) })],
]

async function snapshot(call: Client): Promise<string> {
  return JSON.stringify((await call('GET', '/api/domains')).body)
}

describe('every endpoint', () => {
  itOneIn(7).each(ENDPOINTS)(
    '%s %s without a key, with a wrong one and with an empty one: 401, nothing changes',
    async (method, path, body) => {
      await using at = await openTestHouse()
      await createActive(at.call)
      const before = await snapshot(at.call)
      const bytes = at.routes()
      for (const key of [null, 'wrong', '', ' ', `${at.house.key.reveal()} `.repeat(2)]) {
        const answer = await at.call(method, path, { key, ...(body === null ? {} : { body }) })
        expect([400, 401], `key ${JSON.stringify(key)}`).toContain(answer.status)
        if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toContain('ApiKey')
        expect(answer.headers.get('content-type')).toContain('application/problem+json')
      }
      expect(await snapshot(at.call)).toBe(before)
      expect(at.routes()).toBe(bytes)
    },
  )

  itOneIn(10).each(ENDPOINTS.filter(([method]) => method !== 'GET'))(
    '%s %s with garbage: a 4xx problem or an honest success, never a 5xx',
    async (method, path, body) => {
      await using at = await openTestHouse()
      await createActive(at.call)
      const before = await snapshot(at.call)
      for (const [name, text] of GARBAGE) {
        const answer = await at.call(method, path, { body: text })
        expect(answer.status, name).toBeLessThan(500)
        if (body !== null || text !== '') expect(answer.status, name).toBeGreaterThanOrEqual(400)
      }
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
      ]) {
        const answer = await at.call(method, path, {
          body: JSON.stringify(body ?? {}),
          headers: { 'content-type': type },
        })
        expect(answer.status, type).toBe(415)
      }
      // Calls without a body do what they say when they get an empty one; all others must have changed nothing.
      if (body !== null) expect(await snapshot(at.call)).toBe(before)
    },
  )

  itOneIn(7).each(ENDPOINTS.filter(([, path]) => path.includes('/1')))(
    '%s %s with an id that is none',
    async (method, path) => {
      await using at = await openTestHouse()
      for (const id of ['0', '-1', '1.5', '1e3', '0x1', 'abc', '9'.repeat(30), '%00', 'null']) {
        const answer = await at.call(
          method,
          path.replace('/1', `/${id}`),
          method === 'PUT' ? { body: {} } : {},
        )
        expect([400, 404, 405, 422], id).toContain(answer.status)
      }
      const missing = await at.call(
        method,
        path.replace('/1', '/999999'),
        method === 'PUT' ? { body: { note: 'x' } } : {},
      )
      expect(missing.status).toBe(404)
    },
  )

  it('refuses unknown and repeated query parameters', async () => {
    await using at = await openTestHouse()
    for (const query of [
      '?limt=5',
      '?limit=5&limit=6',
      '?limit=0',
      '?limit=x',
      '?status=on',
      '?cursor=%7B%7D',
      '?sort=name',
    ])
      expect((await at.call('GET', `/api/domains${query}`)).status, query).toBe(422)
  })
})
