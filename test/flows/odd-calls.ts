/** Odd calls made from the API's own description: mostly what is right, with a field or two that break readers. */
import fc from 'fast-check'
import { HOSTILE_STRINGS } from '../model/hostile.ts'

export interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly type?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

export interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, unknown>> }>
  >
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Place {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

export interface OddCall {
  readonly path: string
  readonly body: unknown
}

/** What fits somewhere, in the wrong place as often as not. */
const WORDS = [
  'owner',
  'OWNER',
  'fra1',
  'active',
  'app.example.com',
  'APP.example.com.',
  '*',
  '::1',
  '1',
  '+1',
]
const TIMES = ['9999-12-31T23:59:59.999999999Z', '2027-02-31T24:00:00+23:59', '0000-01-01T00:00:00Z']
const text = fc.oneof(
  fc.constantFrom(...WORDS, ...TIMES),
  fc.constantFrom(...HOSTILE_STRINGS.filter(({ length }) => length < 5000)),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const number = fc.oneof(
  fc.integer({ min: -1, max: 5 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, 2 ** 53, 2 ** 63, 1e300, -0, 0.5),
)

function valueOf(schema: Schema, description: Description, depth = 0): fc.Arbitrary<unknown> {
  const inner = (one: Schema) => valueOf(one, description, depth + 1)
  if (depth > 6) return fc.constant(null)
  if (schema.$ref !== undefined) return inner(description.components.schemas[schema.$ref.split('/').at(-1)!]!)
  const several = schema.anyOf ?? schema.oneOf
  if (several !== undefined) return fc.oneof(...several.map(inner))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  switch (schema.type) {
    case 'string':
      return text
    case 'integer':
    case 'number':
      return number
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(inner(schema.items ?? {}), { maxLength: 4 })
    case 'object':
      return fc.record(Object.fromEntries(membersOf(schema).map(([name, one]) => [name, inner(one)])), {
        requiredKeys: [],
      })
    case undefined:
    default:
      return fc.constant(null)
  }
}

const membersOf = ({ properties = {} }: Schema): readonly [string, Schema][] => Object.entries(properties)

function resolved(schema: Schema, description: Description): Schema {
  return schema.$ref === undefined
    ? schema
    : resolved(description.components.schemas[schema.$ref.split('/').at(-1)!]!, description)
}

/** @param right a body that is taken @param places what path parameters may be */
export function oddCalls(
  { path, operation }: Place,
  description: Description,
  { right, places }: { readonly right: object | undefined; readonly places: readonly string[] },
): fc.Arbitrary<OddCall> {
  const parameters = operation.parameters ?? []
  const named = parameters.filter((one) => one.in === 'path')
  const asked = parameters.filter((one) => one.in === 'query')
  const query = asked.map(({ name, schema }) => [name, fc.oneof(valueOf(schema, description), text)] as const)
  const few = fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    fc.subarray(query.map(([name]) => name)),
  )
  return fc
    .record({
      segments: fc.tuple(...named.map(() => oneOrOdd(fc.constantFrom(...places)))),
      query: few.chain((names) =>
        fc.record(Object.fromEntries(query.filter(([name]) => names.includes(name)))),
      ),
      body: bodyOf(operation, description, right),
    })
    .map(({ segments, query: given, body }) => {
      const filled = named.reduce(
        (so_far, { name }, i) => so_far.replace(`{${name}}`, () => encoded(segments[i])),
        path,
      )
      const pairs = Object.entries(given).map(([name, value]) => `${name}=${encoded(value)}`)
      return { path: pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`, body }
    })
}

const oneOrOdd = (right: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 3, arbitrary: right }, { weight: 1, arbitrary: text })

const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed())

function bodyOf(
  { requestBody }: Operation,
  description: Description,
  right: object | undefined,
): fc.Arbitrary<unknown> {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return fc.constant(undefined)
  const odd = valueOf(schema, description)
  if (right === undefined) return odd
  const members = membersOf(resolved(schema, description))
  const changes = members.map(([name, one]) => [name, valueOf(one, description)] as const)
  const some = fc
    .subarray(changes, { maxLength: Math.min(2, changes.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen)))
    .map((change) => ({ ...right, ...change }))
  return fc.oneof({ weight: 6, arbitrary: some }, { weight: 1, arbitrary: odd })
}
