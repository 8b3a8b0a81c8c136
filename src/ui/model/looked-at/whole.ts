/** Rows of controllers: a field that a firmware does not send is null, as one that it leaves empty. */

export type Whole<T> = T extends readonly (infer U)[]
  ? readonly Whole<U>[]
  : T extends object
    ? { readonly [K in keyof T]-?: Whole<Exclude<T[K], undefined>> | (undefined extends T[K] ? null : never) }
    : T

/** The same row, read through: what is not there is null, at any depth. */
export function whole<T>(value: T): Whole<T> {
  if (Array.isArray(value)) return value.map((one) => whole<unknown>(one)) as Whole<T>
  if (typeof value !== 'object' || value === null) return (value ?? null) as Whole<T>
  return new Proxy(value, {
    get: (row, field) => whole<unknown>((row as Readonly<Record<PropertyKey, unknown>>)[field]),
  }) as Whole<T>
}
