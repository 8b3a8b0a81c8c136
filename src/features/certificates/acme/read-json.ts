/** Reading an authority's JSON: every member is checked before it is believed. */
import { Failure } from '../../../kernel/failure.ts'
import type { HttpReply } from '../../../ports/http-client.ts'
import { isRecord } from '../../../kernel/text/lenient.ts'

export type Json = Readonly<Record<string, unknown>>

const MAX_WORDS = 500

/** A Failure (`component_unavailable`) about an answer that is not what RFC 8555 promises. */
export const strange = (place: string, what: string, inside = ''): Failure =>
  new Failure('component_unavailable', `${place} answered with ${what}.`, inside === '' ? {} : { inside })

/** The media type without its parameters. */
const mediaType = ({ headers }: HttpReply): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()

/** The object of a JSON answer; null for anything else. */
export function objectIn(reply: HttpReply): Json | null {
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(mediaType(reply))) return null
  try {
    const value: unknown = JSON.parse(reply.text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])
export const objectOf = (value: unknown): Json => (isRecord(value) ? value : {})
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Milliseconds since 1970 of an RFC 3339 time; null for anything else. */
export function timeOf(value: unknown): number | null {
  const at = /^\d{4}-\d\d-\d\dT/.test(textOf(value)) ? Date.parse(textOf(value)) : NaN
  return Number.isNaN(at) ? null : at
}

/** The address, or null when it is none that may be asked: everything that an authority names is HTTPS (§6.1). */
export function httpsUrl(value: unknown): string | null {
  const url = URL.parse(textOf(value))
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? textOf(value) : null
}

/** Words of the other side, fit to be shown: one line, no controls, no end of a terminal's direction. */
export const wordsOf = (value: unknown): string =>
  textOf(value)
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS)
