/** Writes the answers that the pages of the console read, as TypeScript, from the OpenAPI document. */

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
}

interface Operation {
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: Schema }>> }>>
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const head = (source: string) =>
  `/** Generated from \`${source}\` by \`documents.test.ts\`: \`UPDATE_DOCUMENTS=1\` writes it anew. */

/* eslint-disable */
`

/**
 * One interface for each named schema that `names` ask for, and for all that those name in turn. An answer without a name in
 * the document is asked for by its address: `['ReleaseList', 'get /api/releases']`.
 */
export function consoleTypes(
  document: object,
  names: readonly (string | readonly [string, string])[],
  source = 'schema/openapi.json',
): string {
  const { components, paths } = document as Document
  const named = new Map<string, Schema>()
  const queue: [string, Schema][] = names.map((name) =>
    typeof name === 'string'
      ? [name, schemaNamed(components.schemas, name)]
      : [name[0], answerOf(paths, name[1])],
  )
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [name, schema] = next
    if (named.has(name)) continue
    named.set(name, schema)
    for (const other of referencesOf(schema)) queue.push([other, schemaNamed(components.schemas, other)])
  }
  const sorted = [...named].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return head(source) + hoisted(sorted.map(([name, schema]) => `\n${declaration(name, schema)}\n`).join(''))
}

function hoisted(text: string): string {
  const found = new Map<string, string>()
  for (const [field, name] of Object.entries(HOISTED)) {
    const union = new RegExp(
      `readonly ${field}\\??: ((?:'[\\w-]+' \\| ){${MIN_HOISTED},}'[\\w-]+')(?= \\| null|\\n)`,
    ).exec(text)?.[1]
    if (union !== undefined) found.set(name, union)
  }
  const short = [...found].reduce((all, [name, union]) => all.replaceAll(union, name), text)
  return (
    [...found]
      .map(([name, union]) => `\nexport type ${name} =\n  | ${union.replaceAll(' | ', '\n  | ')}\n`)
      .join('') + short
  )
}

function schemaNamed(schemas: Document['components']['schemas'], name: string): Schema {
  const schema = schemas[name]
  if (schema === undefined) throw new Error(`schema/openapi.json has no schema ${name}`)
  return schema
}

function answerOf(paths: Document['paths'], address: string): Schema {
  const [method = '', path = ''] = address.split(' ')
  const responses = paths[path]?.[method]?.responses ?? {}
  const schema = (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`schema/openapi.json has no answer of ${address}`)
  return schema
}

function referencesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' ? [refName(String(value))] : referencesOf(value),
  )
}

/** Enumerations that stand in many places are written once, by the name of their field. */
const HOISTED: Readonly<Record<string, string>> = { code: 'Code', cause: 'Cause' }
const MIN_HOISTED = 12

const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

function declaration(name: string, schema: Schema): string {
  const isObject = schema.properties !== undefined && schema.allOf === undefined
  return isObject
    ? `export interface ${name} ${objectText(schema, '')}`
    : `export type ${name} = ${typeText(schema, '')}`
}

function typeText(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return refName(schema.$ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return [...new Set(either.map((one) => typeText(one, indent)))].join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map((one) => typeText(one, indent)).join(' & ')
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeText({ ...schema, type }, indent)).join(' | ')
  return plainText(schema, indent)
}

function plainText(schema: Schema, indent: string): string {
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return arrayText(schema, indent)
    case 'object':
      return objectText(schema, indent)
    case undefined:
    default:
      return 'unknown'
  }
}

function arrayText({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems !== undefined)
    return `readonly [${prefixItems.map((one) => typeText(one, indent)).join(', ')}]`
  const text = typeText(items ?? {}, indent)
  return /[|&]/.test(text.replace(/\{[\s\S]*\}/, '')) ? `readonly (${text})[]` : `readonly ${text}[]`
}

function objectText(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${inner}readonly ${keyText(name)}${required.includes(name) ? '' : '?'}: ${typeText(schema, inner)}`,
  )
  if (fields.length > 0) return `{\n${fields.join('\n')}\n${indent}}`
  const value = typeof additionalProperties === 'object' ? typeText(additionalProperties, indent) : 'unknown'
  return `Readonly<Record<string, ${value}>>`
}

const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
