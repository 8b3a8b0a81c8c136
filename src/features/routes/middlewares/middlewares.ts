/** The middlewares that routes share. Each is rendered only when a router uses it. */
import { IDENTITY_HEADERS } from '../../../model/domain/identity-headers.ts'
import { SHARED, type SharedName } from '../render/names.ts'
import { atLeast, type PlainMap, type RoutesSettings } from '../render/settings.ts'

/** RFC 1918, unique local addresses (RFC 4193) and loopback. Carrier-grade NAT (RFC 6598) holds strangers and stays out. */
export const PRIVATE_RANGES = [
  '10.0.0.0/8',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
] as const

/** The same in `http.middlewares` and in `tcp.middlewares`. */
export const INTERNAL_ONLY: PlainMap = { ipAllowList: { sourceRange: PRIVATE_RANGES } }

/** Streams must not be held back until a compressor's window is full. */
export const NOT_COMPRESSED = ['text/event-stream'] as const

/** The proxy says it of every answer, also of a 404 and a 503: so short that one of those that is kept does no harm. */
const ASSET_AGE_S = 60

/** One year. No `preload` and no `includeSubDomains`: both bind hosts that are not ours to bind. */
const HSTS_AGE_S = 31_536_000

const SECURITY_HEADERS: PlainMap = {
  headers: {
    contentSecurityPolicy: "frame-ancestors 'self'",
    contentTypeNosniff: true,
    customFrameOptionsValue: 'SAMEORIGIN',
    permissionsPolicy: 'camera=(self), geolocation=(self), microphone=(self), payment=(self), usb=(self)',
    referrerPolicy: 'strict-origin-when-cross-origin',
    stsSeconds: HSTS_AGE_S,
  },
}

/**
 * Every identity header is listed: one that is not would pass from the client to the backend unchanged.
 * `trustForwardHeader` is explicit because leaving it out means Traefik's inconsistent legacy handling.
 */
const sso = ({ sso_forward_auth_url, traefik_version }: RoutesSettings): PlainMap => ({
  forwardAuth: {
    address: sso_forward_auth_url,
    authResponseHeaders: IDENTITY_HEADERS,
    ...(atLeast(traefik_version, [3, 6, 9]) ? { maxResponseBodySize: 1_048_576 } : {}),
    trustForwardHeader: true,
  },
})

/**
 * Nobody says who they are but the SSO provider. The check takes away only the names that it knows, and a route without it none;
 * the proxy compares names in any case, so each stands here in one.
 */
const NO_IDENTITY: PlainMap = emptied(withTwins(IDENTITY_HEADERS))

/** Some backends take one of these for the path that was asked for, which would be another than the one that is open. */
const OPEN_PATH: PlainMap = emptied(withTwins(['X-Original-URL', 'X-Original-URI', 'X-Rewrite-URL']))

const cacheControl = (value: string): PlainMap => ({
  headers: { customResponseHeaders: { 'Cache-Control': value } },
})

/** The configuration of every shared middleware, by name. */
export const sharedMiddlewares = (settings: RoutesSettings): Readonly<Record<SharedName, PlainMap>> => ({
  [SHARED.internal_only]: INTERNAL_ONLY,
  [SHARED.no_identity]: NO_IDENTITY,
  [SHARED.open_path]: OPEN_PATH,
  [SHARED.redirect_https]: {
    redirectScheme: {
      permanent: true,
      // Left out, it is 443 whatever the entrypoint is.
      ...(settings.https_port === 443 ? {} : { port: String(settings.https_port) }),
      scheme: 'https',
    },
  },
  [SHARED.security_headers]: SECURITY_HEADERS,
  // The backend may have said `private`, and a shared cache must not keep what it was shown for one user.
  [SHARED.spa_assets]: cacheControl(`private, max-age=${ASSET_AGE_S}`),
  [SHARED.spa_compress]: { compress: { excludedContentTypes: NOT_COMPRESSED } },
  [SHARED.spa_document]: cacheControl('no-cache'),
  [SHARED.sso]: sso(settings),
})

/** Timeouts towards an API: give up early on a dead backend, and on one that takes a request and never answers. */
export const API_TRANSPORT_CONFIG: PlainMap = {
  forwardingTimeouts: { dialTimeout: '5s', idleConnTimeout: '90s', responseHeaderTimeout: '60s' },
}

/** Many backends read `Remote_User` as `Remote-User`. */
function withTwins(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, name.replaceAll('-', '_')])
}

/** An empty value takes the header away. */
function emptied(names: readonly string[]): PlainMap {
  return { headers: { customRequestHeaders: Object.fromEntries(names.map((name) => [name, ''])) } }
}
