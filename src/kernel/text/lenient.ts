/**
 * Reading JSON of devices that change their types with every firmware: a number that arrives as text, a flag that arrives
 * as "true" or 1, a list that is absent. What cannot be read is null and never a guess.
 */
export type Json = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object, or one without members. */
export const asRecord = (value: unknown): Json => (isRecord(value) ? value : {})

/** The objects of a list; null where there is no list. */
export const asRecords = (value: unknown): readonly Json[] | null =>
  Array.isArray(value) ? value.filter(isRecord) : null

const MAX_TEXT = 1024
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g

/** One line without control characters; null for an empty one and for what is no text. */
export function asText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value).slice(0, MAX_TEXT).toWellFormed().replace(CONTROL, ' ').trim()
  return text === '' ? null : text
}

export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return null
  return Number.isFinite(Number(value)) ? Number(value) : null
}

/** The last second that RFC 3339 can write. */
const LAST_SECOND = 253_402_300_799

/** Milliseconds since 1970, from seconds; null for a time that cannot be written down. */
export function asTimeOfSeconds(value: unknown): number | null {
  const seconds = asNumber(value)
  return seconds !== null && seconds >= 0 && seconds <= LAST_SECOND ? Math.floor(seconds * 1000) : null
}

export function asFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1' || value === 'true') return true
  return value === 0 || value === '0' || value === 'false' ? false : null
}

export const asTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap((item) => asText(item) ?? []) : []

/** The value of a JSON text; undefined for what is none, such as the page of a proxy on the way. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
