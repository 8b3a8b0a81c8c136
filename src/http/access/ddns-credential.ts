/**
 * What clients present instead of X-API-Key, for the handler to prove. Routers can fill in an address and a password, and
 * no header; a proxy can send any header, so the token of an edge is never in an address.
 */
import { type RequestFacts, splitTarget } from './request-facts.ts'
import type { TrustHeaders } from './trust-headers.ts'

/** Values of the query parameter `key`. The specification lets dynamic DNS clients send their key so. */
export const queryKeys = (target: string): readonly string[] =>
  new URLSearchParams(splitTarget(target).query).getAll('key')

/**
 * The query parameter, else the password of Basic (RFC 7617), null when there is neither. In this order, because
 * inadyn sends a name and a password whether they mean something or not.
 */
export function ddnsCredential(request: RequestFacts, seen: TrustHeaders): string | null {
  const [key = ''] = queryKeys(request.target)
  return key === '' ? basicPassword(seen.one('authorization')) : key
}

const BASIC = /^Basic +([A-Za-z0-9+/]{1,1024}={0,2})$/i

function basicPassword(authorization: string | null): string | null {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? []
  if (encoded === undefined) return null
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  const password = colon < 0 ? '' : pair.slice(colon + 1)
  return password === '' ? null : password
}

/** A Bearer token (RFC 6750 §2.1), or null. */
export function bearerToken(seen: TrustHeaders): string | null {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]{1,1024}=*)$/i.exec(seen.one('authorization') ?? '') ?? []
  return token ?? null
}
