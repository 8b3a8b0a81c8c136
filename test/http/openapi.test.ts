/** The description: valid for an independent judge, complete, and true to the contracts. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../src/http/contract.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { flag, wholeNumber } from '../../src/http/body/scalars.ts'
import { appOf, ask, withSystem } from './support.ts'

const Part = z.object({ name: z.string() }).meta({ id: 'Part' })

const change = endpoint({
  method: 'PUT',
  path: '/api/parts/{part_id}',
  id: 'changePart',
  summary: 'Change a part',
  level: 'keyed',
  tags: ['Parts'],
  params: z.object({ part_id: wholeNumber({ min: 1 }) }),
  query: z.object({ dry_run: flag().optional(), limit: wholeNumber({ min: 1, max: 500 }).optional() }),
  headers: { 'If-Match': 'The revision' },
  body: z.object({ name: z.string().max(10), site: z.ipv4().optional() }),
  replies: { 200: Part, 202: z.object({ operation_id: z.string() }).describe('Accepted') },
  reply_headers: { ETag: 'The revision' },
  problems: ['not_found', 'revision_mismatch'],
  handler: async () => ({ status: 200, body: { name: 'x' } }),
})

const Operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        schema: z.unknown(),
      }),
    )
    .optional(),
  requestBody: z
    .looseObject({ required: z.boolean(), content: z.record(z.string(), z.unknown()) })
    .optional(),
  responses: z.record(z.string(), z.looseObject({})),
})
const Document = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ responses: z.record(z.string(), z.unknown()), securitySchemes: z.unknown() }),
})

const document = async () => Document.parse(await openApiDocument(withSystem([change])))

describe('the document', () => {
  test('is OpenAPI 3.1.0 of API version 3.0.0, valid', async () => {
    const made = await document()
    expect([made.openapi, made.info.version]).toEqual(['3.1.0', '3.0.0'])
    expect(await new Validator().validate(structuredClone(made))).toMatchObject({ valid: true })
  })

  test('has every endpoint that is not hidden, and no other', async () => {
    const { paths } = await document()
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(described.toSorted()).toEqual([
      'get /api/settings',
      'get /health',
      'get /metrics',
      'get /openapi.json',
      'put /api/parts/{part_id}',
    ])
  })

  test('asks for the key exactly on keyed endpoints', async () => {
    const { paths, components } = await document()
    expect(paths['/api/parts/{part_id}']!['put']!.security).toEqual([{ ApiKey: [] }])
    expect(paths['/metrics']!['get']!.security).toEqual([])
    expect(components.securitySchemes).toEqual({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    })
  })

  test('says what text in paths and queries stands for', async () => {
    const { parameters = [] } = (await document()).paths['/api/parts/{part_id}']!['put']!
    const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)
    expect(schemaOf('part_id')).toMatchObject({
      in: 'path',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    })
    expect(schemaOf('limit')).toMatchObject({
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 500 },
    })
    expect(schemaOf('dry_run')).toMatchObject({ in: 'query', schema: { type: 'boolean' } })
    expect(schemaOf('limit')!.schema).not.toHaveProperty('pattern')
    expect(schemaOf('dry_run')!.schema).not.toHaveProperty('enum')
    expect(schemaOf('If-Match')).toMatchObject({ in: 'header' })
    expect(schemaOf('Idempotency-Key')).toMatchObject({ in: 'header' })
  })

  test('describes every problem once, and refers to it', async () => {
    const { paths, components } = await document()
    const { responses } = paths['/api/parts/{part_id}']!['put']!
    const problems = Object.entries(responses).filter(([status]) => Number(status) >= 400)
    expect(problems.map(([status]) => status)).toEqual([
      '400',
      '401',
      '403',
      '404',
      '409',
      '412',
      '413',
      '415',
      '421',
      '422',
      '429',
      '431',
      '500',
      '503',
    ])
    for (const [status, response] of problems) {
      expect(response).toEqual({ $ref: `#/components/responses/Problem${status}` })
      expect(components.responses).toHaveProperty(`Problem${status}`)
    }
  })

  test('closes bodies to unknown fields', async () => {
    const body = (await document()).paths['/api/parts/{part_id}']!['put']!.requestBody!
    expect(body.required).toBe(true)
    expect(body.content).toMatchObject({
      'application/json': { schema: { additionalProperties: false, required: ['name'] } },
    })
  })
})

describe('/openapi.json', () => {
  test('is the document, made once and revalidated by ETag', async () => {
    const app = appOf(withSystem([change]))
    const answer = await ask(app, '/openapi.json')
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(Document.parse(await answer.json())).toEqual(await document())
    const etag = answer.headers.get('etag')!
    expect((await ask(app, '/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})
