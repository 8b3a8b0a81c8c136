/**
 * Looking into Traefik's configuration the way its own decoder does: everything is text first and typed later, field
 * names are case-insensitive, a single scalar may stand for a list, null is absent, and an unknown field is an error.
 */
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { named } from './named.ts'

export type Mapping = Readonly<Record<string, unknown>>

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type Fields<K extends string> = Partial<Record<K, unknown>>

export type Shape<K extends string> =
  | { readonly ok: true; readonly fields: Fields<K> }
  /** `reason` is the end of a sentence. */
  | { readonly ok: false; readonly reason: string }

/** The fields of a mapping under their canonical names, nulls left out. */
export function shape<const K extends string>(value: unknown, known: readonly K[]): Shape<K> {
  if (!isMapping(value)) return { ok: false, reason: 'is not a mapping' }
  const canonical = new Map(known.map((key) => [key.toLowerCase(), key]))
  const fields: Fields<K> = {}
  for (const [key, inner] of Object.entries(value)) {
    const name = canonical.get(key.toLowerCase())
    if (name === undefined)
      return { ok: false, reason: `has the unknown key ${named(key)}.${didYouMean(key, known)}` }
    if (Object.hasOwn(fields, name))
      return { ok: false, reason: `has the key ${named(name)} in two spellings` }
    if (inner !== null && inner !== undefined) fields[name] = inner
  }
  return { ok: true, fields }
}

/** The text of a scalar, or null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : null
}

/** A list of trimmed texts; one scalar is split at its commas. Null when something in it is no scalar. */
export function listOf(value: unknown): readonly string[] | null {
  const one = textOf(value)
  if (one !== null) return one.split(',').map((part) => part.trim())
  if (!Array.isArray(value)) return null
  const texts = value.map(textOf)
  return texts.every((text) => text !== null) ? texts.map((text) => text.trim()) : null
}

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

/** A boolean in the spellings of Go's ParseBool, or null. */
export function flagOf(value: unknown): boolean | null {
  const text = textOf(value)
  if (text === null) return null
  return TRUE.has(text) ? true : FALSE.has(text) ? false : null
}

/** A decimal whole number, or null: `010` and `1_000` mean something else to every reader. */
export function wholeOf(value: unknown): number | null {
  const text = textOf(value)
  return text !== null && /^(?:0|-?[1-9][0-9]{0,14})$/.test(text) ? Number(text) : null
}

const DEEPEST = 200

/** True when a text anywhere in the value, keys included, satisfies `test`. What is nested absurdly deep counts too. */
export function someText(value: unknown, test: (text: string) => boolean, depth = 0): boolean {
  const text = textOf(value)
  if (text !== null) return test(text)
  if (typeof value !== 'object' || value === null) return false
  if (depth > DEEPEST) return true
  return Object.entries(value).some(([key, inner]) => test(key) || someText(inner, test, depth + 1))
}

/** Equal values give equal texts, whatever the case of their keys and however their scalars are typed. */
export function comparable(value: unknown, depth = 0): unknown {
  const text = textOf(value)
  if (text !== null || typeof value !== 'object' || value === null || depth > DEEPEST) return text
  if (Array.isArray(value)) return value.map((item) => comparable(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key.toLowerCase(), comparable(inner, depth + 1)]),
  )
}
