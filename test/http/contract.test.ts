/** What a contract makes of raw input, and which contracts contradict themselves. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../src/http/contract.ts'
import { flag, wholeNumber } from '../../src/http/body/scalars.ts'
import { appOf, ask, type Ask, problemIn, withKey } from './support.ts'

const Site = z.object({
  domain: z.string().max(20),
  backend_port: z.number().int().min(1).max(65535).optional(),
  service_type: z.enum(['http', 'spa', 'tcp-proxy']),
  tags: z
    .array(z.string().regex(/^[a-z]+$/, 'must be lower-case letters'))
    .max(3)
    .optional(),
  middleware_config: z.strictObject({ extra_middlewares: z.array(z.string()) }).optional(),
})

const update = endpoint({
  method: 'PUT',
  path: '/api/sites/{site_id}/parts/{part}',
  id: 'updateSite',
  summary: 'Echo of everything that was parsed',
  level: 'keyed',
  tags: ['Test'],
  params: z.object({ site_id: wholeNumber({ min: 1, max: 999 }), part: z.string().max(8) }),
  query: z.object({
    limit: wholeNumber({ min: 1 }).optional(),
    dry_run: flag().optional(),
    q: z.string().optional(),
  }),
  body: Site,
  replies: { 200: z.strictObject({ params: z.unknown(), query: z.unknown(), body: z.unknown() }) },
  handler: async ({ params, query, body }) => ({ status: 200, body: { params, query, body } }),
})

const trigger = endpoint({
  method: 'POST',
  path: '/api/trigger',
  id: 'trigger',
  summary: 'Takes no body',
  level: 'keyed',
  tags: ['Test'],
  replies: { 202: z.strictObject({ body: z.null() }) },
  handler: async ({ body }) => ({ status: 202, body: { body: body ?? null } }),
})

const optional = endpoint({
  method: 'POST',
  path: '/api/optional',
  id: 'optional',
  summary: 'Takes a body or none',
  level: 'keyed',
  tags: ['Test'],
  body: z.strictObject({ force: z.boolean() }).optional(),
  replies: { 200: z.strictObject({ force: z.boolean().nullable() }) },
  handler: async ({ body }) => ({ status: 200, body: { force: body?.force ?? null } }),
})

const app = appOf([update, trigger, optional])
const GOOD = { domain: 'a.example', service_type: 'http' }
const PATH = '/api/sites/7/parts/door'
const put = (more: Ask = {}, path = PATH) =>
  ask(app, path, { method: 'PUT', headers: withKey, body: GOOD, ...more })
const errorsOf = async (answer: Response) => {
  const problem = await problemIn(answer)
  expect(problem).toMatchObject({ status: 422, code: 'validation_failed' })
  return problem.errors
}

describe('parsed values', () => {
  test('arrive typed, with text from paths and queries turned into what it stands for', async () => {
    const answer = await put({}, `${PATH}?limit=20&dry_run=true&q=a+b%26c`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      params: { site_id: 7, part: 'door' },
      query: { limit: 20, dry_run: true, q: 'a b&c' },
      body: GOOD,
    })
  })
})

describe('refused inputs, each with its place', () => {
  test.each<[string, string, unknown, unknown]>([
    [
      'a missing field',
      '',
      { domain: 'a' },
      { loc: ['body', 'service_type'], msg: 'is required', type: 'missing' },
    ],
    [
      'a wrong type',
      '',
      { ...GOOD, domain: 7 },
      { loc: ['body', 'domain'], msg: 'must be a string', type: 'string_type' },
    ],
    [
      'a number as text',
      '',
      { ...GOOD, backend_port: '80' },
      { loc: ['body', 'backend_port'], msg: 'must be a number', type: 'number_type' },
    ],
    [
      'a port out of range',
      '',
      { ...GOOD, backend_port: 70000 },
      { loc: ['body', 'backend_port'], msg: 'must be at most 65535', type: 'too_big' },
    ],
    [
      'a fraction',
      '',
      { ...GOOD, backend_port: 1.5 },
      { loc: ['body', 'backend_port'], msg: 'must be a whole number', type: 'int_type' },
    ],
    [
      'a text that is too long',
      '',
      { ...GOOD, domain: 'x'.repeat(21) },
      { loc: ['body', 'domain'], msg: 'must have at most 20 characters', type: 'too_big' },
    ],
    [
      'a wrong word',
      '',
      { ...GOOD, service_type: 'spaa' },
      {
        loc: ['body', 'service_type'],
        msg: 'must be one of http, spa, tcp-proxy. Did you mean "spa"?',
        hint: 'spa',
        type: 'enum',
      },
    ],
    [
      'a wrong word far from any',
      '',
      { ...GOOD, service_type: 'something' },
      { loc: ['body', 'service_type'], msg: 'must be one of http, spa, tcp-proxy', type: 'enum' },
    ],
    [
      'an unknown field',
      '',
      { ...GOOD, backend_prot: 1 },
      {
        loc: ['body', 'backend_prot'],
        msg: 'is not a known field. Did you mean "backend_port"?',
        hint: 'backend_port',
        type: 'extra_forbidden',
      },
    ],
    [
      'an unknown field inside',
      '',
      { ...GOOD, middleware_config: { extra_middlewares: [], x: 1 } },
      { loc: ['body', 'middleware_config', 'x'], msg: 'is not a known field.', type: 'extra_forbidden' },
    ],
    [
      'a bad entry of a list',
      '',
      { ...GOOD, tags: ['ok', 'N0'] },
      { loc: ['body', 'tags', 1], msg: 'must be lower-case letters', type: 'invalid_format' },
    ],
    [
      'a list that is too long',
      '',
      { ...GOOD, tags: ['a', 'b', 'c', 'd'] },
      { loc: ['body', 'tags'], msg: 'must have at most 3 entries', type: 'too_big' },
    ],
    ['a list as body', '', [], { loc: ['body'], msg: 'must be an object', type: 'object_type' }],
    ['null as body', '', 'null', { loc: ['body'], msg: 'must be an object', type: 'object_type' }],
    [
      'an unknown parameter',
      '?limitt=1',
      GOOD,
      {
        loc: ['query', 'limitt'],
        msg: 'is not a known parameter. Did you mean "limit"?',
        hint: 'limit',
        type: 'extra_forbidden',
      },
    ],
    [
      'a repeated parameter',
      '?limit=1&limit=1',
      GOOD,
      { loc: ['query', 'limit'], msg: 'is given more than once', type: 'duplicate' },
    ],
    [
      'a repeated parameter in another spelling',
      '?limit=1&%6cimit=1',
      GOOD,
      { loc: ['query', 'limit'], msg: 'is given more than once', type: 'duplicate' },
    ],
    [
      '__proto__ as parameter',
      '?__proto__=1',
      GOOD,
      { loc: ['query', '__proto__'], msg: 'is not a known parameter.', type: 'extra_forbidden' },
    ],
    [
      'an empty number',
      '?limit=',
      GOOD,
      { loc: ['query', 'limit'], msg: 'must be a whole number of at least 1', type: 'invalid_format' },
    ],
    [
      'a number below the range',
      '?limit=0',
      GOOD,
      { loc: ['query', 'limit'], msg: 'must be a whole number of at least 1', type: 'value_error' },
    ],
    [
      'a flag that is neither',
      '?dry_run=1',
      GOOD,
      { loc: ['query', 'dry_run'], msg: 'must be true or false', type: 'enum' },
    ],
  ])('%s', async (_what, query, body, error) => {
    expect(await errorsOf(await put({ body }, PATH + query))).toEqual([error])
  })

  test.each(['0', '1000', '07', '+7', '7.0', '1e2', '0x7', '%207', 'x', '9'.repeat(17)])(
    '%s as a number in the path',
    async (id) => {
      const [error] = (await errorsOf(await put({}, `/api/sites/${id}/parts/door`)))!
      expect(error).toMatchObject({ loc: ['path', 'site_id'], msg: 'must be a whole number from 1 to 999' })
    },
  )

  test('faults of path, query and body are reported together', async () => {
    const errors = await errorsOf(
      await put({ body: {} }, '/api/sites/x/parts/too-long-a-part?nope=1&limit=x'),
    )
    expect(errors!.map(({ loc }) => loc.join('.'))).toEqual([
      'path.site_id',
      'path.part',
      'query.nope',
      'query.limit',
      'body.domain',
      'body.service_type',
    ])
  })

  test('an empty body where one is needed', async () => {
    const answer = await ask(app, PATH, { method: 'PUT', headers: withKey })
    expect(await errorsOf(answer)).toEqual([{ loc: ['body'], msg: 'is required', type: 'missing' }])
  })

  test('a body with thousands of faults is answered with the first fifty, and repeats no long name', async () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`x${index}`, 1]))
    expect(await errorsOf(await put({ body: many }))).toHaveLength(50)
    const text = await (await put({ body: { ...GOOD, ['n'.repeat(5000)]: 1 } })).text()
    expect(text.length).toBeLessThan(1000)
  })

  test.each(['?limit=%', '?limit=%zz', '?q=%ff'])('%s is a broken escape', async (query) => {
    expect(await problemIn(await put({}, PATH + query))).toMatchObject({
      status: 400,
      code: 'malformed_request',
    })
  })

  test('text that is no JSON', async () => {
    expect(await problemIn(await put({ body: '{' }))).toMatchObject({
      status: 422,
      code: 'malformed_json',
      errors: [{ loc: ['body'], type: 'json_invalid' }],
    })
  })

  test('a key that stands twice is refused beside all that is wrong otherwise, wherever it stands', async () => {
    const body = String.raw`{"domain":"a.example","service_type":"http","backend_port":80,"backend_port":"8080",
      "x":1,"middleware_config":{"extra_middlewares":[],"extra_middlewares":["a"]},"tags":[{"y":1,"y":2}]}`
    const errors = await errorsOf(await put({ body }, `${PATH}?limit=0`))
    expect(errors!.map(({ loc, type }) => [loc.join('.'), type])).toEqual([
      ['query.limit', expect.any(String)],
      ['body.backend_port', 'duplicate'],
      ['body.middleware_config.extra_middlewares', 'duplicate'],
      ['body.tags.0.y', 'duplicate'],
      ['body.x', 'extra_forbidden'],
    ])
  })

  test('a refused value is not repeated', async () => {
    const text = await (await put({ body: { ...GOOD, service_type: 'canary-value' } })).text()
    expect(text).not.toContain('canary')
  })
})

describe('bodies that are not asked for', () => {
  test.each([undefined, {}])('%j is nothing', async (body) => {
    const answer = await ask(app, '/api/trigger', {
      method: 'POST',
      headers: withKey,
      ...(body === undefined ? {} : { body }),
    })
    expect(answer.status).toBe(202)
    expect(await answer.json()).toEqual({ body: null })
  })

  test('anything more is refused', async () => {
    const answer = await ask(app, '/api/trigger', { method: 'POST', headers: withKey, body: { force: true } })
    expect(await errorsOf(answer)).toMatchObject([{ loc: ['body', 'force'], type: 'extra_forbidden' }])
  })

  test('an optional body may be there or not', async () => {
    const without = await ask(app, '/api/optional', { method: 'POST', headers: withKey })
    expect(await without.json()).toEqual({ force: null })
    const given = await ask(app, '/api/optional', { method: 'POST', headers: withKey, body: { force: true } })
    expect(await given.json()).toEqual({ force: true })
  })
})

describe('contracts that contradict themselves do not start', () => {
  const base = {
    method: 'GET' as const,
    id: 'x',
    summary: 'x',
    level: 'open' as const,
    tags: [],
    replies: { 200: z.strictObject({}) },
    handler: async () => ({ status: 200 as const, body: {} }),
  }
  test('a name in the path without a parameter', () => {
    expect(() => endpoint({ ...base, path: '/x/{id}' })).toThrow(/names/)
  })
  test('a parameter without a name in the path', () => {
    expect(() => endpoint({ ...base, path: '/x', params: z.object({ id: z.string() }) })).toThrow(/names/)
  })
  test('a path in another form', () => {
    for (const path of ['/x/', '/x//y', '/:id', '/x/{id}.json', '/ä', '/x;y'] as const)
      expect(() => endpoint({ ...base, path })).toThrow(/form/)
  })
  test('a GET with a body', () => {
    expect(() => endpoint({ ...base, path: '/x', body: z.strictObject({}) })).toThrow(/no body/)
  })
  test('a guarded endpoint before the guards', () => {
    expect(() => endpoint({ ...base, path: '/x', bare: true })).toThrow(/bare/)
  })
  test('a problem as a reply', () => {
    expect(() => endpoint({ ...base, path: '/x', replies: { 404: z.strictObject({}) } } as never)).toThrow(
      /200 to 299/,
    )
  })
  test('two endpoints for one path and method, or one id', () => {
    const x = endpoint({ ...base, path: '/x' })
    expect(() => appOf([x, x])).toThrow(/GET \/x/)
    expect(() => appOf([x, endpoint({ ...base, path: '/y' })])).toThrow(/"x"/)
  })
  test('a body that would drop unknown fields inside, where replies are checked', () => {
    const inner = z.array(z.object({ name: z.string() })).optional()
    const open = endpoint({ ...base, method: 'POST', path: '/x', body: z.object({ inner }) })
    expect(() => appOf([open])).toThrow(/x: body\.properties\.inner\.items drops unknown fields/)
    expect(() => appOf([open], { check_replies: false })).not.toThrow()
  })

  test('a body that may be empty and must be there is found where replies are checked; a PUT says something by it', () => {
    const idle = z.strictObject({ path: z.string().optional() })
    const asked = (method: 'POST' | 'PUT', body: z.ZodType) => () =>
      appOf([endpoint({ ...base, method, path: '/x', body })])
    expect(asked('POST', idle)).toThrow(/x: takes \{\} and no absent body/)
    expect(asked('POST', idle.optional())).not.toThrow()
    expect(asked('POST', z.strictObject({ path: z.string() }))).not.toThrow()
    expect(asked('PUT', idle)).not.toThrow()
    const wanted = { method: 'POST', path: '/x', body: idle, body_required: true } as const
    expect(() => appOf([endpoint({ ...base, ...wanted })])).not.toThrow()
  })
})
