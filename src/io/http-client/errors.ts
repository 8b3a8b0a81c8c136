/** What is said when a call has no usable answer: origin and path, never a query, a header or a body. */
import { tlsWords } from '../../kernel/text/tls-words.ts'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'

/** An answer that is not taken. The message is the end of a sentence that begins with the place. */
export class PeerError extends Error {}

/** There is somebody, and what it says cannot be read. */
export class Unreadable extends PeerError {}

const UNREADABLE = { facts: { reason: 'unreadable' } }

/** Somebody answered, and it could not be read. */
export const isUnreadable = ({ details }: Failure): boolean => details.facts?.['reason'] === 'unreadable'

/** Only `http:` and `https:`. The text is not repeated in the message: settings with credentials in them end up here. */
export function parsedUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Failure('bad_configuration', 'The address of an HTTP API must begin with http:// or https://.')
  return url
}

export const placeOf = (url: URL): string => `${url.origin}${url.pathname}`

/** No connection came about: whatever is asked next, nobody hears it. */
export const isNobodyThere = ({ details }: Failure): boolean => NOBODY.has(details.inside ?? '')

const NOBODY: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ENOENT',
  'EACCES',
])

/** In words what a system or library code says; anything else is told by its code. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection',
  ENOTFOUND: 'has a host name that does not resolve',
  EAI_AGAIN: 'has a host name that does not resolve now',
  ENOENT: 'has no socket: there is no such file',
  EACCES: 'has a socket that we may not open',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  UND_ERR_SOCKET: 'broke the connection',
  UND_ERR_HEADERS_OVERFLOW: 'answered with too many headers',
  UND_ERR_INVALID_ARG: 'cannot be asked this way: a header or the address is malformed',
}

/** A Failure (`component_unavailable`), with the fact `reason: unreadable` where somebody answered. The library's own error stays inside: it may hold what was sent. */
export function noAnswer(place: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof PeerError)
    return new Failure(
      'component_unavailable',
      `${place} ${error.message}.`,
      error instanceof Unreadable ? UNREADABLE : {},
    )
  const code = rootCode(error)
  if ((error as Error | null)?.name === 'HTTPParserError')
    return new Failure('component_unavailable', `${place} does not speak HTTP.`, {
      ...UNREADABLE,
      inside: code ?? 'no code',
    })
  const words = wordsOf(code)
  return new Failure('component_unavailable', `${place} ${words}.`, { inside: code ?? 'no code' })
}

const wordsOf = (code: string | null): string =>
  code === null ? 'broke off' : (WORDS[code] ?? tlsWords(code, null) ?? `failed (${code})`)

/** An attempt at several addresses fails with a list of errors and no code of its own. */
function rootCode(error: unknown): string | null {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : (error as Error | null)?.cause
  return systemErrorCode(error) ?? (inner === undefined ? null : systemErrorCode(inner))
}
