/**
 * The grammars of which `FIELDS` (`record.ts`) gives each field one. Each parser is bounded first and matched second, takes any
 * JSON value, and gives the canonical value or the reason. Rules across fields live in `rules.ts`.
 */
import { parseAddress } from '../network/address.ts'
import { isIP } from 'node:net'
import { AUTHORITY_NAME, FINGERPRINT, MAX_PEM } from './backend-tls.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { parseBackendName } from './hostname.ts'
import { accept, type Parsed, refuse } from '../text/result.ts'
import { textFault } from '../text/text.ts'
import { formOf, SERVER_NAME } from '../text/form.ts'

export interface MiddlewareConfig {
  /** Names from the middleware catalogue, in the order in which they apply. */
  readonly extra_middlewares: readonly string[]
}

export type FieldParser<T> = (value: unknown) => Parsed<T>

const PATH = /^\/[A-Za-z0-9._~/-]*$/
const TAG = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/
const MIDDLEWARE = /^[a-z0-9][a-z0-9-]{0,62}$/
export const ENTRYPOINT = /^[a-z][a-z0-9-]{0,31}$/

export const MAX_EXTRA_MIDDLEWARES = 20
export const MAX_TAGS = 20
export const MAX_NOTE = 1000
export const MAX_PATH = 512

const string: FieldParser<string> = (value) =>
  typeof value === 'string' ? accept(value) : refuse('string_type', 'must be a string')

export const boolean: FieldParser<boolean> = (value) =>
  typeof value === 'boolean' ? accept(value) : refuse('bool_type', 'must be true or false')

export const nullable =
  <T>(parse: FieldParser<T>): FieldParser<T | null> =>
  (value) =>
    value === null ? accept(null) : parse(value)

export const bounded =
  <T>(most: number, type: string, parse: (text: string) => Parsed<T>): FieldParser<T> =>
  (value) => {
    const text = string(value)
    if (!text.ok) return text
    const fault = textFault(text.value, most)
    return fault === null ? parse(text.value) : refuse(type, fault)
  }

export function oneOf<const T extends string>(names: readonly T[]): FieldParser<T> {
  return (value) =>
    names.includes(value as T)
      ? accept(value as T)
      : refuse(
          'enum',
          `must be one of ${names.join(', ')}.${typeof value === 'string' ? didYouMean(value, names) : ''}`,
        )
}

export const MAX_ORIGIN = 300
const ORIGIN = /^https?:\/\/[^\s/?#@\\]+\/?$/i

/** Scheme, host and port only: an exact origin (RFC 6454), never a pattern. "null" and "*" are refused. */
export function parseOrigin(text: string): Parsed<string> {
  const wrong = refuse('cors_origin', 'must be one origin such as https://app.example.com, without a path')
  if (!ORIGIN.test(text) || !URL.canParse(text)) return wrong
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || url.hostname === '' || url.hostname.includes('*'))
    return wrong
  // Reading decodes `%7B`: what is kept is what would be read again.
  const { origin } = url
  const is_stable = ORIGIN.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin
  return is_stable && textFault(origin, MAX_ORIGIN) === null ? accept(origin) : wrong
}

/** An absolute path of unreserved characters (RFC 3986 §2.3) with no empty, `.` or `..` segment. */
function parsePath(text: string): Parsed<string> {
  if (!PATH.test(text))
    return refuse('path', 'must start with "/" and hold only letters, digits and the characters . _ ~ / -')
  const segments = text.slice(1).split('/')
  const inner = segments.at(-1) === '' ? segments.slice(0, -1) : segments
  return inner.some((segment) => segment === '' || segment === '.' || segment === '..')
    ? refuse('path', 'must not have empty, "." or ".." segments')
    : accept(text)
}

const QUERY = /^(?:[A-Za-z0-9._~/?:@!$&()*+,;=-]|%[0-9A-Fa-f]{2})+$/

/** A path as above, and behind it, for backends that want one, a query (RFC 3986 §3.4). */
export function parseCheckPath(text: string): Parsed<string> {
  const [path = '', ...rest] = text.split('?')
  const parsed = parsePath(path)
  if (!parsed.ok || rest.length === 0) return parsed
  return QUERY.test(rest.join('?'))
    ? accept(text)
    : refuse(
        'path',
        'must have behind "?" a query of letters, digits, percent-encoded bytes and ._~/?:@!$&()*+,;=-',
      )
}

export function parseBackendHost(text: string): Parsed<string> {
  return isIP(text) === 0 ? parseBackendName(text) : parseAddress(text)
}

export const parseEntrypoint = (text: string): Parsed<string> =>
  ENTRYPOINT.test(text)
    ? accept(text)
    : refuse('tcp_entrypoint', 'must be an entrypoint name of lower-case letters, digits and hyphens')

export function parseLanding(text: string): Parsed<string> {
  return text === '/' ? refuse('path', 'must not be "/", which would redirect to itself') : parsePath(text)
}

export const parsePort: FieldParser<number> = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65535
    ? accept(value)
    : refuse('port', 'must be a whole number from 1 to 65535')

/** From what paid plans allow to a day; a provider with narrower limits rounds (RFC 2181 §8). */
export const parseTtl: FieldParser<number> = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 30 && value <= 86_400
    ? accept(value)
    : refuse('ttl', 'must be a whole number of seconds from 30 to 86400')

/** A list of distinct short words, each matching `grammar`. */
const words =
  (grammar: RegExp, most: number, what: string): FieldParser<readonly string[]> =>
  (value) => {
    if (!Array.isArray(value)) return refuse('list_type', 'must be a list')
    if (value.length > most) return refuse('too_long', `must have at most ${most} entries`)
    const bad = value.find((word) => typeof word !== 'string' || word.length > 64 || !grammar.test(word))
    if (bad !== undefined) return refuse('word', `must hold only ${what}`)
    return new Set(value).size === value.length
      ? accept(value as string[])
      : refuse('duplicate', 'must not name the same entry twice')
  }

export const parseTags = words(
  TAG,
  MAX_TAGS,
  'labels of 1 to 32 lower-case letters, digits and inner hyphens',
)

const extraMiddlewares = words(
  MIDDLEWARE,
  MAX_EXTRA_MIDDLEWARES,
  'middleware names of lower-case letters, digits and hyphens',
)

export const parseMiddlewareConfig: FieldParser<MiddlewareConfig> = (value) => {
  if (value === null) return accept({ extra_middlewares: [] })
  if (typeof value !== 'object' || Array.isArray(value)) return refuse('object_type', 'must be an object')
  const unknown = Object.keys(value).find((key) => key !== 'extra_middlewares')
  if (unknown !== undefined)
    return refuse(
      'extra_forbidden',
      `has the unknown key "${unknown.slice(0, 64)}"; only extra_middlewares is known`,
    )
  const names = (value as { extra_middlewares?: unknown }).extra_middlewares ?? []
  const parsed = extraMiddlewares(names)
  return parsed.ok
    ? accept({ extra_middlewares: parsed.value })
    : refuse(parsed.type, `extra_middlewares ${parsed.msg}`)
}

/** What the texts within a field look like, for its description. */
export const PART_FORMS = {
  server_name: SERVER_NAME,
  pem: { pattern: '-----BEGIN CERTIFICATE-----', maxLength: MAX_PEM },
  ca_name: formOf(AUTHORITY_NAME),
  fingerprint: formOf(FINGERPRINT),
  tag: formOf(TAG),
  extra_middleware: formOf(MIDDLEWARE),
} as const
