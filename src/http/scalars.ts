/**
 * Schemas for values that arrive as text, in paths and queries. Stricter than coercion, which reads "" as 0 and
 * accepts "0x10" and " 7 "; described in OpenAPI as the type they stand for.
 */
import { z } from 'zod'

interface WholeNumberBounds {
  readonly min: number
  readonly max?: number
}

/** Decimal digits only: `42`, not `+42`, `042`, `4.2e1`. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: WholeNumberBounds) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  return z
    .string(`must be a whole number ${range}`)
    .regex(/^(?:0|[1-9]\d{0,15})$/, `must be a whole number ${range}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number ${range}`)
    .meta(standsFor({ type: 'integer', minimum: min, ...(range.startsWith('from') ? { maximum: max } : {}) }))
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
