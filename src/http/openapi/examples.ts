/**
 * An example for every body and answer. What a schema brings with it is taken; of the rest one is made of the schema, with
 * what its fields hold (`example-values.ts`). The tests judge each by its schema.
 */
import { EXAMPLE_TIME, EXAMPLE_VALUES } from './example-values.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly description?: string
  readonly format?: string
  readonly minimum?: number
}

interface Media {
  readonly schema?: Schema
  example?: unknown
}
type Content = Readonly<Record<string, Media>>
interface Operation {
  readonly requestBody?: { readonly content: Content }
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
}
interface Described {
  readonly paths?: object
  readonly components?: { readonly schemas?: object; readonly responses?: object }
}

export function withExamples<Document extends Described>(document: Document): Document {
  const { schemas = {}, responses = {} } = document.components ?? {}
  const make = maker(schemas as Readonly<Record<string, Schema>>)
  const paths = Object.values(document.paths ?? {}) as Readonly<Record<string, Operation>>[]
  const operations = paths.flatMap((methods) => Object.values(methods))
  const contents = [
    ...operations.map(({ requestBody }) => requestBody?.content),
    ...operations.flatMap((operation) => Object.values(operation.responses ?? {}).map(contentOf)),
    ...(Object.values(responses) as Parameters<typeof contentOf>[0][]).map(contentOf),
  ]
  for (const media of contents.flatMap((content) => Object.values(content ?? {})))
    if (media.schema !== undefined) media.example ??= make(media.schema, '')
  return document
}

const contentOf = ({ content }: { readonly content?: Content }): Content | undefined => content

const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type

type Make = (schema: Schema, name: string) => unknown

function maker(schemas: Readonly<Record<string, Schema>>): Make {
  const make: Make = (schema, name) => {
    if (schema.$ref !== undefined) return make(schemas[schema.$ref.split('/').at(-1)!]!, name)
    if (schema.examples !== undefined) return schema.examples[0]
    if ('const' in schema) return schema.const
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return chosen(choices, name)
    if (schema.enum !== undefined) return schema.enum[0]
    if (typesOf(schema).includes('null') && !isShown(schema, name)) return null
    return valueOf(schema, name)
  }

  /** Null is one of the choices where the value is not worth showing. */
  const chosen = (choices: readonly Schema[], name: string): unknown => {
    const values = choices.filter((choice) => choice.type !== 'null')
    const nullable = values.length < choices.length
    return nullable && !isShown(values[0]!, name) ? null : make(values[0]!, name)
  }

  const isShown = (schema: Schema, name: string): boolean => {
    if (EXAMPLE_VALUES[name] === null) return false
    return name in EXAMPLE_VALUES || name.endsWith('_at') || !isScalar(schema)
  }

  const isScalar = (schema: Schema): boolean =>
    schema.$ref === undefined && !typesOf(schema).some((type) => type === 'object' || type === 'array')

  const valueOf = (schema: Schema, name: string): unknown => {
    const [type] = typesOf(schema).filter((one) => one !== 'null')
    if (type === 'object') return objectOf(schema)
    if (type === 'array') return listOf(schema, name)
    const value = EXAMPLE_VALUES[name]
    if (type === 'boolean') return typeof value === 'boolean' ? value : true
    if (type === 'integer' || type === 'number')
      return typeof value === 'number' ? value : Math.max(schema.minimum ?? 0, 0)
    return type === 'string' ? textOf(schema, name) : (value ?? {})
  }

  const objectOf = ({ properties = {}, required = [], additionalProperties }: Schema): unknown => {
    const members = Object.entries(properties).map(([name, schema]) => [name, make(schema, name)])
    const others = typeof additionalProperties === 'object' && members.length === 0
    const rest = others ? required.map((name) => [name, make(additionalProperties, name)]) : members
    return Object.fromEntries(rest)
  }

  const listOf = ({ items }: Schema, name: string): readonly unknown[] => {
    if (items === undefined || (isScalar(items) && items.enum === undefined && !(name in EXAMPLE_VALUES)))
      return []
    return [make(items, name)]
  }
  return make
}

function textOf({ format }: Schema, name: string): string {
  const value = EXAMPLE_VALUES[name]
  if (typeof value === 'string') return value
  if (name.endsWith('_at') || name === 'at' || format === 'date-time') return EXAMPLE_TIME
  return name === 'id' ? '7c9e6679-7425-40de-944b-e07fc1f90ae7' : 'as it is'
}
