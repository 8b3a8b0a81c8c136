/** The middlewares that routes share. Each is rendered only when a router uses it. */
import { SHARED, type SharedName } from './names.ts'
import { atLeast, type PlainMap, type RoutesSettings } from './settings.ts'

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

/** Long enough to spare reloads, short enough for files that keep their name between releases. */
const ASSET_AGE_S = 3600

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
    authResponseHeaders: ['Remote-User', 'Remote-Groups', 'Remote-Name', 'Remote-Email'],
    ...(atLeast(traefik_version, [3, 6, 9]) ? { maxResponseBodySize: 1_048_576 } : {}),
    trustForwardHeader: true,
  },
})

const cacheControl = (value: string): PlainMap => ({
  headers: { customResponseHeaders: { 'Cache-Control': value } },
})

/** The configuration of every shared middleware, by name. */
export const sharedMiddlewares = (settings: RoutesSettings): Readonly<Record<SharedName, PlainMap>> => ({
  [SHARED.internal_only]: INTERNAL_ONLY,
  [SHARED.redirect_https]: { redirectScheme: { permanent: true, scheme: 'https' } },
  [SHARED.security_headers]: SECURITY_HEADERS,
  [SHARED.spa_assets]: cacheControl(`public, max-age=${ASSET_AGE_S}`),
  // Behind SSO a shared cache must not keep what it was shown for one user.
  [SHARED.spa_assets_private]: cacheControl(`private, max-age=${ASSET_AGE_S}`),
  [SHARED.spa_compress]: { compress: { excludedContentTypes: NOT_COMPRESSED } },
  [SHARED.spa_document]: cacheControl('no-cache'),
  [SHARED.sso]: sso(settings),
})

/** Timeouts towards an API: give up early on a dead backend, and on one that takes a request and never answers. */
export const API_TRANSPORT_CONFIG: PlainMap = {
  forwardingTimeouts: { dialTimeout: '5s', idleConnTimeout: '90s', responseHeaderTimeout: '60s' },
}
