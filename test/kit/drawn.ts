/** Bodies drawn from the description alone: what somebody sends who has read nothing else. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly maxItems?: number
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly readOnly?: boolean
  readonly contentMediaType?: string
  readonly contentEncoding?: string
  readonly 'x-plumbline-offered'?: string
}

export interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly requestBody?: { readonly content: Content } }>>>
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** @param path as the description has it */
export function bodiesOf(description: Description, method: string, path: string): fc.Arbitrary<unknown> {
  const { schema } = description.paths[path]![method]!.requestBody!.content['application/json']!
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(description, 'openapi')
  const fits = ajv.getSchema(`openapi#/components/schemas/${schema.$ref!.split('/').at(-1)!}`)!
  return valuesOf(description, schema).filter((body) => fits(body) === true)
}

function valuesOf(description: Description, schema: Schema): fc.Arbitrary<unknown> {
  const values = (inner: Schema) => valuesOf(description, inner)
  if (schema.$ref !== undefined)
    return values(description.components.schemas[schema.$ref.split('/').at(-1)!]!)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(values))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => values({ ...schema, type })))
  const { type = 'anything' } = schema
  switch (type) {
    case 'string':
      return textsOf(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(values(schema.items!), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      })
    case 'object':
      return objectsOf(schema, values)
    default:
      throw new Error(
        `The description has a value of the type ${String(schema.type)}, which nothing is drawn for.`,
      )
  }
}

function textsOf({ pattern, minLength = 0, maxLength = 4096 }: Schema): fc.Arbitrary<string> {
  const texts =
    pattern === undefined
      ? fc.string({ minLength, maxLength: Math.min(maxLength, 64) })
      : fc.stringMatching(new RegExp(pattern))
  return texts.filter((text) => text.length >= minLength && text.length <= maxLength && text.isWellFormed())
}

function objectsOf(schema: Schema, values: (inner: Schema) => fc.Arbitrary<unknown>) {
  const sent = Object.entries(schema.properties ?? {}).filter(([, inner]) => isDrawn(inner))
  const model = Object.fromEntries(sent.map(([name, inner]) => [name, values(inner)]))
  return fc.record(model, { requiredKeys: [...(schema.required ?? [])] })
}

/** Not what answers alone say, what another program makes, or what this installation has none of. */
const isDrawn = ({ readOnly, contentMediaType, contentEncoding, enum: names, ...rest }: Schema): boolean =>
  readOnly !== true &&
  contentMediaType === undefined &&
  contentEncoding === undefined &&
  (rest['x-plumbline-offered'] === undefined || names !== undefined)
