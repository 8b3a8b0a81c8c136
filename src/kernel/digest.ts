/** SHA-256, the only digest, over bytes and over values in canonical JSON (RFC 8785 key order). */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

/** Lower-case hexadecimal SHA-256 of the chunks, read one after another as one byte string. */
export function sha256(chunks: readonly (Uint8Array | string)[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** One text per value: object keys sorted by code unit, no blanks, `undefined` members left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

export const digestOf = (value: unknown): string => sha256([canonicalJson(value)])

/** Whether two values of JSON have one digest, without making it: many times faster for what is no object, or alike. */
export const hasSameDigest = (a: unknown, b: unknown): boolean =>
  a === b ||
  (isObject(a) && isObject(b) && (isDeepStrictEqual(a, b) || canonicalJson(a) === canonicalJson(b)))

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
