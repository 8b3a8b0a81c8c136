/** Finding body schemas that would drop unknown fields in silence, at any depth, and bodies that are asked for and say nothing. */
import { z } from 'zod'
import type { Endpoint } from '../contract.ts'

/** One sentence per open object in a request body; empty when every unknown field will be refused. */
export const openBodies = (endpoints: readonly Endpoint[]): string[] =>
  endpoints.flatMap(({ id, body }) =>
    body === undefined
      ? []
      : openIn(body).map(
          (where) => `${id}: ${where} drops unknown fields in silence; make it a z.strictObject.`,
        ),
  )

/**
 * One sentence per call whose body may be empty and must be there: clients leave such a body out. Not of a PUT: there a body
 * that did not arrive is a mistake, and what it says of a record is all of the call. Nor where the specification says in so
 * many words that the body is required.
 */
export const idleBodies = (endpoints: readonly Endpoint[]): string[] =>
  endpoints.flatMap(({ id, method, body, body_required = false }) =>
    method === 'POST' && !body_required && body !== undefined && isIdle(body)
      ? [`${id}: takes {} and no absent body; make its body optional.`]
      : [],
  )

/** Schemas are made once and used by every app of the process. */
function once<T>(look: (body: z.ZodType) => T): (body: z.ZodType) => T {
  const known = new WeakMap<z.ZodType, { readonly found: T }>()
  return (body) => {
    const { found } = known.get(body) ?? { found: look(body) }
    known.set(body, { found })
    return found
  }
}

const isIdle = once((body) => body.safeParse({}).success && !body.safeParse(undefined).success)

const openIn = once((body) =>
  openObjects(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), 'body'),
)

/** They ask about fields, and let none in. */
const CONDITIONS = ['if', 'then', 'else', 'not']

function openObjects(schema: unknown, where: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const here = 'properties' in schema && !('additionalProperties' in schema) ? [where] : []
  return [
    ...here,
    ...Object.entries(schema).flatMap(([name, inner]) =>
      CONDITIONS.includes(name) ? [] : openObjects(inner, `${where}.${name}`),
    ),
  ]
}
