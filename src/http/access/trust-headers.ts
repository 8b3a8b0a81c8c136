/**
 * The headers that decide about trust, read in one pass over the raw lines.
 *
 * Never from a joined or de-duplicated view: Node joins `X-API-Key: 1` and `X-API-Key: 2` to "1, 2" and keeps the
 * first of two Host lines, while the proxy in front may have judged the other one.
 */

/** Added by the reverse proxy to prove that a request came through it. */
export const PROXY_SECRET_HEADER = 'x-plumbline-proxy-secret'
/** Added by our own pages to prove that they are what has signed in. */
export const SESSION_SECRET_HEADER = 'x-plumbline-session-secret'

const IDENTITY = 'remote-'
const SINGLE = new Set([
  'host',
  'x-api-key',
  'origin',
  'content-type',
  'content-encoding',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'authorization',
  PROXY_SECRET_HEADER,
  SESSION_SECRET_HEADER,
])
const FORWARDING = new Set([
  PROXY_SECRET_HEADER,
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'cdn-loop',
  'x-envoy-external-address',
  'x-originating-ip',
  'x-azure-clientip',
])

const isIdentity = (name: string) => name.startsWith(IDENTITY)
const isForwarding = (name: string) => name.startsWith('x-forwarded') || FORWARDING.has(name)
const isSingle = (name: string) => SINGLE.has(name) || isIdentity(name)

export interface TrustHeaders {
  /** Why the header section is refused, as a sentence, else null. */
  readonly fault: string | null
  /** The one value of a header that may stand only once, or null. */
  one(name: string): string | null
  /** Whether any header claims that somebody else sent the request first. */
  readonly forwarded: boolean
  /** Entries of X-Forwarded-For from left to right, over all its lines. */
  readonly forwarded_for: readonly string[]
  /** Whether any `Remote-*` header is there. */
  readonly identity: boolean
}

export function readTrustHeaders(lines: readonly (readonly [string, string])[]): TrustHeaders {
  const singles = new Map<string, string>()
  const forwarded_for: string[] = []
  let fault: string | null = null
  let forwarded = false
  let identity = false
  for (const [sent, value] of lines) {
    const name = sent.toLowerCase()
    // Some proxies and frameworks read `Remote_User` as `Remote-User`; a filter for the one misses the other.
    if (name.includes('_') && isTrusted(name.replaceAll('_', '-')))
      fault ??= `The header ${name.slice(0, 64)} is an underscore alias of a trusted header.`
    if (isSingle(name)) {
      if (singles.has(name)) fault ??= `The header ${name.slice(0, 64)} is given twice.`
      else singles.set(name, value)
    }
    identity ||= isIdentity(name)
    forwarded ||= isForwarding(name)
    if (name === 'x-forwarded-for') forwarded_for.push(...value.split(',').map((entry) => entry.trim()))
  }
  const one = (name: string) => singles.get(name) ?? null
  return { fault, one, forwarded, forwarded_for, identity }
}

const isTrusted = (name: string) => isSingle(name) || isForwarding(name)
