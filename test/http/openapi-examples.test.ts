/** The description of the whole API: what whoever knows nothing else finds there, and that it is true. */
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { itOneIn } from '../kit/in-depth.ts'

interface Schema {
  readonly $ref?: string
  readonly examples?: readonly unknown[]
  readonly maximum?: number
  readonly type?: unknown
}
interface Media {
  readonly schema: Schema
  readonly example?: unknown
}
type Content = Readonly<Record<string, Media>>
interface Response {
  readonly $ref?: string
  readonly description: string
  readonly content?: Content
  readonly links?: Readonly<Record<string, { readonly operationId: string }>>
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}
interface Document {
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

const FILE = new URL('../../schema/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const named = operations.map((operation) => [operation.operationId, operation] as const)

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema(document, 'openapi')

/** By the place in the document, so that references are followed. */
function evaluate(pointer: readonly string[]): ValidateFunction {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  return ajv.getSchema(`openapi#/${path.join('/')}`)!
}

const places = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, requestBody, responses }]) => [
    ...contentsAt(requestBody?.content, ['paths', path, method, 'requestBody'], operationId),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      contentsAt(content, ['paths', path, method, 'responses', status], `${operationId} ${status}`),
    ),
  ]),
)
const problems = Object.entries(document.components.responses).flatMap(([name, { content }]) =>
  contentsAt(content, ['components', 'responses', name], name),
)

function contentsAt(content: Content | undefined, pointer: readonly string[], name: string) {
  return Object.entries(content ?? {}).map(
    ([type, media]) => [`${name} ${type}`, media, [...pointer, 'content', type, 'schema']] as const,
  )
}

describe('every operation', () => {
  itOneIn(3).each(named)('%s says what it does, in one of the described groups', (_, operation) => {
    expect(operation.summary).toMatch(/\S/)
    expect(operation.description ?? '').toMatch(/\S/)
    const described = document.tags.filter(({ description }) => description !== undefined)
    expect(described.map(({ name }) => name)).toEqual(expect.arrayContaining([...operation.tags]))
  })

  itOneIn(3).each(named)('%s lists how it can be refused', (_, { responses, requestBody }) => {
    const statuses = Object.keys(responses)
    expect(statuses).toEqual(expect.arrayContaining(['400', '431']))
    if (requestBody !== undefined)
      expect(statuses).toEqual(expect.arrayContaining(['413', '415', '422', '429']))
  })

  itOneIn(3).each(named)('%s takes no number that JSON cannot carry', (_, { parameters = [] }) => {
    for (const { name, schema } of parameters.filter(({ schema: { type } }) => type === 'integer'))
      expect(schema.maximum, name).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  })
})

test('a status lists the codes that it stands for', () => {
  const { responses } = document.components
  expect(responses['Problem413']!.description).toContain('`too_large`')
  expect(responses['Problem415']!.description).toContain('`unsupported_media_type`')
  expect(responses['Problem429']!.description).toContain('`rate_limited`')
  expect(responses['Problem431']!.description).toContain('`headers_too_large`')
})

describe('examples', () => {
  itOneIn(5).each([...places, ...problems])('%s has one, and it fits its schema', (_, media, pointer) => {
    expect(media).toHaveProperty('example')
    const fits = evaluate(pointer)
    expect(fits(media.example), JSON.stringify(fits.errors)).toBe(true)
  })

  test.each(
    operations
      .filter(({ requestBody }) => requestBody !== undefined)
      .map((one) => [one.operationId, one] as const),
  )('the body of %s is an example of somebody’s making', (_, { requestBody }) => {
    const { schema } = requestBody!.content['application/json']!
    const known =
      schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!
    expect(known.examples?.length).toBeGreaterThan(0)
  })
})

describe('links', () => {
  const linked = named.flatMap(([name, { responses }]) =>
    Object.values(responses).flatMap(({ links = {} }) =>
      Object.values(links).map((link) => [name, link.operationId] as const),
    ),
  )

  test('lead from what makes a thing to what takes its id', () => {
    expect(linked).toEqual(
      expect.arrayContaining([
        ['createDomain', 'getDomain'],
        ['createDomain', 'activateDomain'],
        ['createEdge', 'getEdge'],
        ['issueApiKey', 'revokeApiKey'],
        ['issueSiteToken', 'rotateSiteToken'],
        ['createPlan', 'applyPlan'],
        ['inviteUser', 'user'],
        ['activateDomain', 'getOperation'],
      ]),
    )
  })

  test('lead to operations that there are', () => {
    const known = new Set(named.map(([name]) => name))
    expect(linked.filter(([, to]) => !known.has(to))).toEqual([])
  })
})

test('the record has the name Domain, and no class is called after a place', () => {
  expect(document.components.schemas).toHaveProperty('Domain')
  expect(document.components.schemas).toHaveProperty('DomainCreate')
  const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
  expect(bodies.filter(({ schema }) => schema.$ref === undefined)).toEqual([])
})
