/**
 * How a browser shows that its person has signed in to the console: a cookie of 256 random bits. `__Host-` makes browsers
 * keep it to https and to this very host (RFC 6265bis §4.1.3.2); plain http cannot have that name.
 *
 * Cookies know no port (RFC 6265bis §8.5): the browser sends ours to whatever else runs under the same host, by whomever. So the
 * cookie alone may only look. What changes something takes a second secret, which our page keeps where only pages of the same
 * scheme, host and port can read it, and sends as a header.
 */
import { headerValues, type RequestFacts } from './request-facts.ts'
import type { Instant } from '../../kernel/clock.ts'

export const COOKIES = ['__Host-plumbline', 'plumbline'] as const
export type SessionCookie = (typeof COOKIES)[number]

/** A sign-in that lasts. */
export interface FoundSession {
  readonly id: string
  /** `session:1f3c` */
  readonly actor: string
  readonly way: 'key' | 'link'
  readonly reads_only: boolean
  readonly expires_at: Instant
  /** Aborts when it ends. */
  readonly ended: AbortSignal
  /** Whether it is the secret that the page of its sign-in got. */
  isProvenBy(secret: string): boolean
}

export interface ShownSession extends FoundSession {
  /** Under which name it came. */
  readonly cookie: SessionCookie
  /** The secret of its page came along. */
  readonly is_proven: boolean
}

export interface SessionProof {
  /** Null for what is no session, or none any more. */
  find(token: string): FoundSession | null
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/**
 * The one that only https can have comes first. Of several of a name the one counts that is a session: whatever runs beside us
 * under the same host may have put another there. Two that are sessions count as none.
 * @param secret that came with the request, or null
 */
export function sessionIn(
  request: RequestFacts,
  secret: string | null,
  proof: SessionProof,
): ShownSession | null {
  const pairs = headerValues(request, 'cookie')
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim())
  for (const name of COOKIES) {
    const found = tokensNamed(name, pairs).flatMap((token) => proof.find(token) ?? [])
    const [session] = found
    if (session !== undefined && found.length === 1)
      return { ...session, cookie: name, is_proven: secret !== null && session.isProvenBy(secret) }
  }
  return null
}

/** Each once. */
function tokensNamed(name: SessionCookie, pairs: readonly string[]): readonly string[] {
  const tokens = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .filter((token) => TOKEN.test(token))
  return [...new Set(tokens)]
}

const shared = (name: SessionCookie): string =>
  `Path=/; HttpOnly; SameSite=Strict${name === '__Host-plumbline' ? '; Secure' : ''}`

/** Set-Cookie for a sign-in. It ends with the browser, and here before that. */
export const cookieFor = (token: string, secure: boolean): string => {
  const name = secure ? '__Host-plumbline' : 'plumbline'
  return `${name}=${token}; ${shared(name)}`
}

export const cookieRemoved = (name: SessionCookie): string => `${name}=; Max-Age=0; ${shared(name)}`
