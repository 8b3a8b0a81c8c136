/** What a router of somebody else's protects its requests with. Pure; what cannot be seen counts as protection. */
import type { ProxyMiddleware, ProxyRouter } from '../../traefik/port.ts'

/** Types that let everybody through. All others ask for something: a plugin bears a name of its own here. */
const HARMLESS: ReadonlySet<string> = new Set([
  'addPrefix',
  'buffering',
  'circuitBreaker',
  'compress',
  'contentType',
  'encodedCharacters',
  'errors',
  'grpcWeb',
  'headers',
  'inFlightConn',
  'inFlightReq',
  'rateLimit',
  'redirectRegex',
  'redirectScheme',
  'replacePath',
  'replacePathRegex',
  'retry',
  'stripPrefix',
  'stripPrefixRegex',
])

export interface Link {
  /** With its provider. */
  readonly name: string
  /** Null for one that the proxy does not show. */
  readonly type: string | null
  /** Where a forwardAuth asks, as far as it may be shown. */
  readonly address: string | null
}

/** Chains can name each other in a ring. */
const MAX_LINKS = 200

/** A router's middlewares in order, chains followed. */
export function linksOf(
  { kind, middlewares }: Pick<ProxyRouter, 'kind' | 'middlewares'>,
  known: ReadonlyMap<string, ProxyMiddleware>,
): readonly Link[] {
  const links: Link[] = []
  const waiting = [...middlewares]
  for (let count = 0; waiting.length > 0 && count < MAX_LINKS; count++) {
    const name = waiting.shift()!
    // The proxy's list is of HTTP middlewares; one for TCP may bear the same name.
    const middleware = kind === 'http' ? known.get(name) : undefined
    if (middleware?.type === 'chain') waiting.unshift(...middleware.members)
    else
      links.push({
        name,
        type: middleware?.type ?? null,
        address: middleware?.forward_auth_address ?? null,
      })
  }
  return [...links, ...waiting.map((name) => ({ name, type: null, address: null }))]
}

export const protects = ({ type }: Pick<Link, 'type'>): boolean => type === null || !HARMLESS.has(type)
