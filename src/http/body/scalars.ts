/**
 * Schemas for values that arrive as text, in paths and queries. Stricter than coercion, which reads "" as 0 and
 * accepts "0x10" and " 7 "; described in OpenAPI as the type they stand for.
 */
import { z } from 'zod'
import type { TextForm } from '../../model/text/form.ts'

/** A moment in an answer. */
export const instant = () => z.string().describe('RFC 3339, UTC')

/** A text whose parser stands in the model: described by its form, judged by nothing but the parser. */
export const formed = (form: TextForm) => z.string().meta({ ...form })

/** An id, or the number of a page: what a number can hold without loss (RFC 8259 §6). */
const LARGEST_NUMBER = Number.MAX_SAFE_INTEGER

/** A count for each of the names. */
export const countsOf = <const Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<Name, z.ZodInt>)

interface WholeNumberBounds {
  readonly min: number
  readonly max?: number
}

/** Decimal digits only: `42`, not `+42`, `042`, `4.2e1`. */
export function wholeNumber({ min, max = LARGEST_NUMBER }: WholeNumberBounds) {
  const range = max === LARGEST_NUMBER ? `of at least ${min}` : `from ${min} to ${max}`
  return z
    .string(`must be a whole number ${range}`)
    .regex(/^(?:0|[1-9]\d{0,15})$/, `must be a whole number ${range}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number ${range}`)
    .meta(standsFor({ type: 'integer', minimum: min, maximum: max }))
}

/** `true` or `false`. */
export const flag = () =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .transform((value) => value === 'true')
    .meta(standsFor({ type: 'boolean' }))

/** In the description, the type takes the place of everything that is said about the text. */
const standsFor = (described: Readonly<Record<string, unknown>>) => ({
  override: ({ jsonSchema }: { readonly jsonSchema: object }) => {
    for (const member of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, member)
    Object.assign(jsonSchema, described)
  },
})

/** The path parameter of everything that concerns one record. */
export const DomainId = z.object({ domain_id: wholeNumber({ min: 1 }) })
