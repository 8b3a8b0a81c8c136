/** The CORS middleware of one domain. Traefik answers preflights itself as soon as one is attached, so it says everything. */
import type { PlainMap } from '../render/settings.ts'

const ANY_ORIGIN = '*'

const ALLOWED = {
  accessControlAllowHeaders: [
    'Accept',
    'Accept-Language',
    'Authorization',
    'Cache-Control',
    'Content-Language',
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'Range',
    'X-API-Key',
    'X-CSRF-Token',
    'X-Requested-With',
  ],
  accessControlAllowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
}

/**
 * The entry in `http.middlewares`; null is for any origin. Credentials go with one exact origin only: with `*` newer versions
 * of Traefik mirror the caller's origin, which would let any site send them.
 */
export const corsOf = (origin: string | null): PlainMap => ({
  headers: {
    ...(origin !== null && { accessControlAllowCredentials: true }),
    ...ALLOWED,
    accessControlAllowOriginList: [origin ?? ANY_ORIGIN],
    accessControlMaxAge: 600,
    addVaryHeader: true,
  },
})
