/**
 * Who may call what: one pure function over the request as it stood on the wire, the level of the matched route and
 * the settings. The steps, in this order, each with the refusal it gives:
 *
 * 1  one Host, no duplicate or aliased trust header, no odd path      400 malformed_request
 * 2  Host is an address or ours: the only answer to DNS rebinding     421 host_not_served
 * 3  effective client, through trusted proxies only                   400 malformed_request
 *    a parameter key that is given twice, where it proves somebody  422 validation_failed
 * 4  class: key, sso, session, local, lan, public; the first that fits         429 rate_limited
 * 5  OPTIONS: nothing is shared across origins, so no preflight       405 method_not_allowed
 * 6  browsers only from our own or an allowed origin, but to a
 *    page that people open, from anywhere; whoever changes by
 *    a session says from which page                                  403 cross_site_request
 * 7  unsafe methods carry JSON, which no form can send                415 unsupported_media_type
 * 8  a presented but wrong key, even where none is needed             401 wrong_key
 * 9  the level                401 unauthenticated, 403 network_not_trusted, 403 group_not_allowed
 *
 * What remembers is handed in: how long no key of a client is compared (step 4). The other limits come after it, in the
 * pipeline.
 */
import { fieldError } from '../../kernel/failure.ts'
import { Secret } from '../../kernel/secret.ts'
import { canonicalAddress } from '../../model/network/address.ts'
import { quoted, type Refusal, refusal } from '../refusal.ts'
import { targetFault } from '../socket/request-target.ts'
import { type Caller, identify, type KeyGuard, UNKNOWN_CALLER } from './caller.ts'
import { type Level, levelRefusal, mayOf, type May } from './level.ts'
import { isSafe, type RequestFacts, splitTarget } from './request-facts.ts'
import { type AccessSettings, compileAccess, type CompiledAccess, hostKey } from './settings.ts'
import { readTrustHeaders, type TrustHeaders } from './trust-headers.ts'

export type Decision = Caller & {
  /** What X-API-Key was found to be; null where it was not compared. */
  readonly key: 'right' | 'wrong' | null
} & (({ readonly allowed: true } & Standing) | { readonly allowed: false; readonly refusal: Refusal })

/** What is told of whoever was let in, for those who sign in and out. */
export interface Standing {
  /** Where a key is needed; null: nothing. */
  readonly may: May | null
  /** The page that calls came over https, as its browser says. */
  readonly secure: boolean
}

/** What the policy has to know beside the request and the level. */
export interface Circumstances {
  /** Null, and left out: every key is compared. */
  readonly keys?: KeyGuard | null
  /** Whether the endpoint is a page that people open by its address. */
  readonly document?: boolean
  /** Whether the call changes nothing, whatever its method. */
  readonly reads?: boolean
  /** The segment of the path that may hold an encoded slash; null, and left out: none. */
  readonly slash_segment?: number | null
}

export function decide(
  request: RequestFacts,
  level: Level,
  settings: AccessSettings,
  { keys = null, document = false, reads = isSafe(request.method), slash_segment = null }: Circumstances = {},
): Decision {
  const policy = compileAccess(settings)
  const seen = readTrustHeaders(request.headers)
  const unreadable = shapeRefusal(request, seen, slash_segment) ?? hostRefusal(seen, policy)
  if (unreadable !== null) return turnAway(unreadable)
  if (level === 'ddns' && queryKeys(request.target).length > 1) return turnAway(TWO_KEYS)
  const key = seen.one('x-api-key')
  const credential = credentialFor(level, request, seen)
  const caller = identify(request, { seen, key, credential, keys }, policy)
  if ('code' in caller) return turnAway(caller)
  const refused =
    methodRefusal(request) ??
    (document && isNavigation(request, seen) ? null : browserRefusal(request, seen, policy)) ??
    sessionOrigin(request, seen, caller) ??
    mediaRefusal(request, seen) ??
    keyRefusal(key, caller, policy) ??
    levelRefusal(level, { request, seen, caller, policy, credential, reads })
  const found = key === null || policy.api_key === null ? null : caller.class === 'key' ? 'right' : 'wrong'
  if (refused !== null) return { ...caller, key: found, allowed: false, refusal: refused }
  const standing = { may: mayOf(caller, policy), secure: seen.one('origin')?.startsWith('https://') === true }
  const presented = level === 'ddns' || level === 'token' ? (key ?? credential) : null
  const shown = presented === null ? {} : { credential: new Secret(presented) }
  return { ...caller, ...shown, ...standing, key: found, allowed: true }
}

function credentialFor(level: Level, request: RequestFacts, seen: TrustHeaders): string | null {
  if (level === 'ddns') return ddnsCredential(request, seen)
  return level === 'token' ? bearerToken(seen) : null
}

/**
 * All that the liveness answers ask: a header section that is read in one way. Their Host is whatever a probe sends, a name
 * inside a cluster or none at all, and they tell a rebound page nothing that is worth knowing.
 */
export function headersAlone(request: RequestFacts): Refusal | null {
  const { fault } = readTrustHeaders(request.headers)
  return fault === null ? null : refusal('malformed_request', fault)
}

const turnAway = (refused: Refusal): Decision => ({
  ...UNKNOWN_CALLER,
  key: null,
  allowed: false,
  refusal: refused,
})

function shapeRefusal(
  request: RequestFacts,
  seen: TrustHeaders,
  slash_segment: number | null,
): Refusal | null {
  const fault = seen.fault ?? targetFault(request.target, slash_segment)
  return fault === null ? null : refusal('malformed_request', fault)
}

function hostRefusal(seen: TrustHeaders, policy: CompiledAccess): Refusal | null {
  const host = seen.one('host')
  if (host === null) return refusal('malformed_request', 'The header Host is missing.')
  const [, name] = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.exec(host) ?? []
  if (name === undefined)
    return refusal(
      'malformed_request',
      `The header Host holds ${quoted(host)}, which is not a host and port.`,
    )
  if (policy.hosts.has(hostKey(name)) || isAddress(name)) return null
  return refusal(
    'host_not_served',
    `The host ${quoted(name)} is not served here. If it should be, add it to PLUMBLINE_ALLOWED_HOSTS.`,
  )
}

/** Only names are rebound: whoever is called by an address is called by whoever typed it. 0.0.0.0 is none to type. */
function isAddress(name: string): boolean {
  const address = canonicalAddress(name.replace(/^\[(.*)\]$/, '$1'))
  return address !== null && address !== '0.0.0.0' && address !== '::'
}

const methodRefusal = ({ method }: RequestFacts): Refusal | null =>
  method === 'OPTIONS'
    ? refusal('method_not_allowed', 'OPTIONS is not served: nothing here is shared across origins.')
    : null

/**
 * What a browser tells about the page behind a request. It may deny and never grants: anything can send these headers.
 * `same-site` is refused too, since a neighbour on a sibling name is another application. Browsers leave
 * Sec-Fetch-Site out on plain http to other hosts; there the Origin must be the one that was called, whose Host is
 * vetted by step 2, or a listed one.
 */
function browserRefusal(request: RequestFacts, seen: TrustHeaders, policy: CompiledAccess): Refusal | null {
  const site = seen.one('sec-fetch-site')
  const origin = seen.one('origin')
  if (origin === 'null') return crossSite('a page without an origin')
  if (site !== null)
    return site === 'same-origin' || (site === 'none' && isSafe(request.method))
      ? null
      : crossSite(`a page of another site (Sec-Fetch-Site: ${quoted(site)})`)
  if (origin === null || policy.origins.has(origin)) return null
  const host = seen.one('host')!.toLowerCase()
  return origin === `http://${host}` || origin === `https://${host}`
    ? null
    : crossSite(`the origin ${quoted(origin)}, which is not in PLUMBLINE_ALLOWED_ORIGINS`)
}

/**
 * Somebody opens the page in a tab of their own, from wherever they came: the sign-in page, a mail, a bookmark. The page that
 * led here sees nothing of it, and reading changes nothing. A frame, an image or a fetch is no navigation.
 */
const isNavigation = ({ method }: RequestFacts, seen: TrustHeaders): boolean =>
  isSafe(method) && seen.one('sec-fetch-mode') === 'navigate' && seen.one('sec-fetch-dest') === 'document'

/**
 * A browser sends a cookie by itself. Where it leaves out Sec-Fetch-Site, on plain http to other hosts, only the Origin tells
 * our own page from another; none of the listed origins goes by a cookie of ours.
 */
function sessionOrigin(request: RequestFacts, seen: TrustHeaders, caller: Caller): Refusal | null {
  if (caller.class !== 'session' || isSafe(request.method) || seen.one('sec-fetch-site') !== null) return null
  const origin = seen.one('origin')
  const host = seen.one('host')!.toLowerCase()
  if (origin === `http://${host}` || origin === `https://${host}`) return null
  return crossSite(
    origin === null ? 'something that does not say from which page' : `the origin ${quoted(origin)}`,
  )
}

const crossSite = (what: string): Refusal =>
  refusal('cross_site_request', `The request was made by ${what}. Only our own pages may call.`)

const JSON_UTF8 = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

function mediaRefusal(request: RequestFacts, seen: TrustHeaders): Refusal | null {
  if (isSafe(request.method) || !request.has_body) return null
  const encoding = seen.one('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity')
    return refusal('unsupported_media_type', 'The body must be sent without Content-Encoding.')
  return JSON_UTF8.test(seen.one('content-type') ?? '')
    ? null
    : refusal('unsupported_media_type', 'The body must be sent as Content-Type: application/json, in UTF-8.')
}

/** A mistyped key must not pass silently as "no key". Without a configured key there is nothing to be wrong about. */
function keyRefusal(key: string | null, caller: Caller, policy: CompiledAccess): Refusal | null {
  return key === null || policy.api_key === null || caller.class === 'key'
    ? null
    : refusal(
        'wrong_key',
        'The key in X-API-Key is none that is in force: it is mistyped, or was revoked, or its time is over. ' +
          '"plumbline keys issue NAME" on its host makes one.',
      )
}

// What clients present instead of X-API-Key, for the handler to prove. Routers can fill in an address and a password, and
// no header; a proxy can send any header, so a token is never in an address.

/** Neither is taken for the one that was meant. In the words of every parameter that is given twice. */
const TWO_KEYS: Refusal = {
  ...refusal('validation_failed', 'query.key: is given more than once'),
  errors: [fieldError(['query', 'key'], 'is given more than once', 'duplicate')],
}

/** Values of the query parameter `key`. The specification lets dynamic DNS clients send their key so. */
const queryKeys = (target: string): readonly string[] =>
  new URLSearchParams(splitTarget(target).query).getAll('key')

/**
 * The query parameter, else the password of Basic (RFC 7617), null when there is neither. In this order, because
 * inadyn sends a name and a password whether they mean something or not.
 */
function ddnsCredential(request: RequestFacts, seen: TrustHeaders): string | null {
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
function bearerToken(seen: TrustHeaders): string | null {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]{1,1024}=*)$/i.exec(seen.one('authorization') ?? '') ?? []
  return token ?? null
}
