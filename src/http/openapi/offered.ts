/** Names that only the installation knows, such as its entrypoints: its own description lists them where one is asked for. */
export interface Offered {
  readonly [list: string]: readonly string[]
}

/** In a schema: from which list the text is to be taken. */
export const OFFERED = 'x-plumbline-offered'

export const offeredFrom = (list: string) => ({ [OFFERED]: list })

export function withOffered<Value>(value: Value, offered: Offered): Value {
  if (typeof value !== 'object' || value === null) return value
  const list = (value as { readonly [OFFERED]?: string })[OFFERED]
  const names = list === undefined ? undefined : offered[list]
  if (names !== undefined) limitTo(value, orNull(value, names))
  for (const member of Object.values(value)) withOffered(member, offered)
  return value
}

/** Where nothing is offered, no text fits: an `enum` must have a member. */
function limitTo(schema: { enum?: unknown }, names: readonly (string | null)[]): void {
  delete schema.enum
  Object.assign(schema, names.length > 0 ? { enum: names } : { not: {} })
}

const orNull = (schema: object, names: readonly string[]): readonly (string | null)[] =>
  'type' in schema && Array.isArray(schema.type) && schema.type.includes('null') ? [...names, null] : names
