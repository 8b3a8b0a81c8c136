/** What is wrong with those fields of a body that fit their schema while others of it do not: all faults are told at once. */
import type { z } from 'zod'
import type { FieldError } from '../kernel/failure.ts'

/** What stands for a field that does not fit; what is found wrong with it is not told, since the field is told already. */
export interface BodyRules<Body> {
  readonly schema: { readonly shape: Readonly<Record<string, z.ZodType>> }
  readonly stand_in: Body
  readonly evaluate: (body: Body) => readonly FieldError[]
}

/** For `faults` of an endpoint whose `body` is the schema. */
export const faultsBeside =
  <Body extends object>({ schema, stand_in, evaluate }: BodyRules<Body>) =>
  ({ body }: { readonly body: unknown }): readonly FieldError[] =>
    typeof body !== 'object' || body === null || Array.isArray(body)
      ? []
      : evaluate({ ...stand_in, ...fittingIn(schema.shape, new Map(Object.entries(body))) })

const fittingIn = (
  shape: Readonly<Record<string, z.ZodType>>,
  given: ReadonlyMap<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const read = given.has(name) ? schema.safeParse(given.get(name)) : null
      return read?.success === true ? [[name, read.data]] : []
    }),
  )
