/** The CORS middleware of one domain. Traefik answers preflights itself as soon as one is attached, so it says everything. */
import { quote } from '../../../kernel/text/quoted.ts'
import { block } from '../fast/emit.ts'

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
const LISTS = block(ALLOWED, '        ')
const REST = block({ accessControlMaxAge: 600, addVaryHeader: true }, '        ')

/**
 * The entry in `http.middlewares`. Credentials go with one exact origin only: with `*` newer versions of Traefik mirror
 * the caller's origin, which would let any site send them.
 */
export const corsText = (name: string, origin: string | null): string =>
  `    ${name}:\n      headers:\n` +
  (origin === null ? '' : '        accessControlAllowCredentials: true\n') +
  `${LISTS}        accessControlAllowOriginList:\n          - ${quote(origin ?? ANY_ORIGIN)}\n${REST}`
