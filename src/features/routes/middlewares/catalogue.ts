/**
 * The middlewares that a record may name in `extra_middlewares`: our own and the operator's.
 *
 * What only makes sense with a parameter is not built in, since an entry has none: basic auth (users), path prefixes,
 * error pages (a service), redirects. The operator writes those as own entries, with the values in them.
 */
import type { Offer } from '../../../model/domain/rules.ts'
import { NOT_COMPRESSED, PRIVATE_RANGES } from './middlewares.ts'
import { mayChangePath } from './path-changing.ts'
import { knownSince } from './middleware-types.ts'
import {
  atLeast,
  type OwnMiddleware,
  type PlainMap,
  type Position,
  type RoutesSettings,
} from '../render/settings.ts'
import { unfitByKind } from './unfit.ts'

export interface CatalogueEntry extends OwnMiddleware {
  readonly name: string
  /** True for an entry of the operator's own file. */
  readonly own: boolean
}

/**
 * Entries that set a response header stand outside our security headers: Traefik applies the outermost last, so theirs
 * wins.
 */
const OURS: readonly CatalogueEntry[] = [
  ours(
    'circuit-breaker',
    'after_sso',
    'Answers 503 for a while when half of the answers are server errors.',
    {
      circuitBreaker: {
        checkPeriod: '1s',
        expression: 'NetworkErrorRatio() > 0.50 || ResponseCodeRatio(500, 600, 0, 600) > 0.50',
        fallbackDuration: '10s',
        recoveryDuration: '10s',
      },
    },
  ),
  ours('compress', 'after_sso', 'Compresses answers of a kibibyte and more, except event streams.', {
    compress: { excludedContentTypes: NOT_COMPRESSED, minResponseBodyBytes: 1024 },
  }),
  ours('cross-origin-isolation', 'before_sso', 'Isolates the page from others, as shared memory needs it.', {
    headers: {
      customResponseHeaders: {
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
    },
  }),
  ours('csp-strict', 'before_sso', 'Lets the page load from its own host only, and nobody frame it.', {
    headers: {
      contentSecurityPolicy:
        "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    },
  }),
  ours('frame-deny', 'before_sso', 'Forbids every site, this one included, to show the page in a frame.', {
    headers: { contentSecurityPolicy: "frame-ancestors 'none'", customFrameOptionsValue: 'DENY' },
  }),
  ours('hsts-preload', 'before_sso', 'Asks browsers for HTTPS on this host and all below it for two years.', {
    headers: { stsIncludeSubdomains: true, stsPreload: true, stsSeconds: 63_072_000 },
  }),
  ours('in-flight-limit', 'before_sso', 'Answers 429 beyond 64 requests under way from one address.', {
    inFlightReq: { amount: 64 },
  }),
  ours('ip-allow-list-private', 'before_sso', 'Answers 403 to every address outside the private ranges.', {
    ipAllowList: { sourceRange: PRIVATE_RANGES },
  }),
  ours('no-index', 'before_sso', 'Asks search engines to leave the site out.', {
    headers: { customResponseHeaders: { 'X-Robots-Tag': 'noindex, nofollow, noarchive' } },
  }),
  ours('no-store', 'before_sso', 'Forbids browsers and shared caches to keep any answer.', {
    headers: { customResponseHeaders: { 'Cache-Control': 'no-store' } },
  }),
  ours(
    'rate-limit',
    'before_sso',
    'Answers 429 beyond 100 requests a second, with bursts of 200, from one address.',
    {
      rateLimit: { average: 100, burst: 200, period: '1s' },
    },
  ),
  ours(
    'rate-limit-strict',
    'before_sso',
    'Answers 429 beyond 5 requests a second, with bursts of 20, from one address.',
    {
      rateLimit: { average: 5, burst: 20, period: '1s' },
    },
  ),
  ours(
    'request-limit',
    'after_sso',
    'Takes bodies of up to 10 MiB in full before the backend sees them; answers 413 beyond.',
    {
      buffering: { maxRequestBodyBytes: 10_485_760, memRequestBodyBytes: 1_048_576 },
    },
  ),
  ours('retry', 'after_sso', 'Asks the backend up to three times when it does not answer at all.', {
    retry: { attempts: 3, initialInterval: '100ms' },
  }),
  ours(
    'strict-paths',
    'before_sso',
    'Answers 400 to paths with encoded slashes, NULs and other delimiters.',
    {
      encodedCharacters: {
        allowEncodedBackSlash: false,
        allowEncodedHash: false,
        allowEncodedNullCharacter: false,
        allowEncodedPercent: false,
        allowEncodedQuestionMark: false,
        allowEncodedSemicolon: false,
        allowEncodedSlash: false,
      },
    },
  ),
]

/** Every entry that the configured Traefik understands, by name. */
export function catalogue(settings: RoutesSettings): readonly CatalogueEntry[] {
  const entries = new Map(OURS.map((entry) => [entry.name, entry]))
  for (const [name, entry] of settings.own_middlewares) entries.set(name, { ...entry, name, own: true })
  return [...entries.values()]
    .filter((entry) => atLeast(settings.traefik_version, entry.since))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** What the rules of a record need to know of the catalogue. */
export const middlewareOffer = (settings: RoutesSettings): Offer['middlewares'] =>
  new Map(
    catalogue(settings).map(({ name, type, unfit_for, changes_path }) => {
      const check = CHECKS[type]
      return [name, { unfit_for, changes_path, ...(check !== undefined && { check }) }]
    }),
  )

/** Types that turn somebody away for who they are or where they come from, in words. */
const CHECKS: Readonly<Record<string, string>> = {
  basicAuth: 'password',
  chain: 'chain',
  digestAuth: 'password',
  forwardAuth: 'forwarded sign-in',
  ipAllowList: 'IP allow list',
  ipWhiteList: 'IP allow list',
  plugin: 'plugin',
}

function ours(
  name: string,
  position: Position,
  description: string,
  typed: Readonly<Record<string, PlainMap>>,
): CatalogueEntry {
  const [type, config] = Object.entries(typed)[0]!
  const since = knownSince(type, Object.keys(config))
  return {
    name,
    own: false,
    description,
    position,
    unfit_for: unfitByKind(type, config),
    type,
    since,
    changes_path: mayChangePath(type),
    config,
  }
}
