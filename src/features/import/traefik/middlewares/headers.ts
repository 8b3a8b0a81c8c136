/**
 * A `headers` middleware, field by field: security headers that every route gets anyway, CORS of one origin, and the few
 * custom headers that mean something else. Any other header is the site's own business, and no record can say it.
 */
import { FIELDS } from '../../../../model/domain/record.ts'
import { type Parsed, refuse } from '../../../../model/text/result.ts'
import type { Setting } from '../context.ts'
import type { ImportContext } from '../../../../ports/import-context.ts'
import { both, type Effect, effect } from '../effect.ts'
import { named } from '../../../routes/grammar/named.ts'
import { flagOf, isMapping, listOf, textOf } from '../../../routes/grammar/tree.ts'
import { equalEntry } from './catalogue-match.ts'

/** Replaced by the built-in security headers, header by header (`header-notes.ts`); the last line is of version 2 and does nothing any more. */
const COVERED = new Set(
  `stsSeconds stsIncludeSubdomains stsPreload forceSTSHeader frameDeny customFrameOptionsValue contentTypeNosniff
   browserXssFilter customBrowserXSSValue contentSecurityPolicyReportOnly referrerPolicy
   permissionsPolicy hostsProxyHeaders sslProxyHeaders
   sslRedirect sslHost sslForceHost sslTemporaryRedirect featurePolicy`
    .toLowerCase()
    .split(/\s+/),
)
const CORS_LISTS = new Set(
  `accessControlAllowMethods accessControlAllowHeaders accessControlExposeHeaders accessControlMaxAge addVaryHeader
   accessControlAllowCredentials`
    .toLowerCase()
    .split(/\s+/),
)
const ORIGINS = 'accesscontrolalloworiginlist'
const POLICY = 'contentsecuritypolicy'

export function headersEffect(name: string, config: unknown, setting: Setting): Parsed<Effect> {
  const what = `uses the headers ${named(name)}`
  if (!isMapping(config) || Object.keys(config).length === 0)
    return refuse('middleware', `${what}, which sets nothing`)
  const equal = equalEntry({ type: 'headers', config }, setting.context)
  if (equal !== null) return effect({ headers: [config], extras: [equal] })
  const fields = new Map(Object.entries(config).map(([key, value]) => [key.toLowerCase(), value]))
  let whole = effect({ headers: [config] })
  for (const [key, value] of fields) {
    if (!whole.ok) break
    const part = fieldEffect(key, value, { fields, setting })
    if (!part.ok) return refuse('middleware', `${what}, ${part.msg}`)
    whole = both(whole.value, part.value)
  }
  return whole
}

interface Surroundings {
  readonly fields: ReadonlyMap<string, unknown>
  readonly setting: Setting
}

/** Refusals here are clauses that follow the middleware's name. */
function fieldEffect(key: string, value: unknown, { fields, setting }: Surroundings): Parsed<Effect> {
  if (COVERED.has(key)) return effect({})
  if (key === ORIGINS) return corsEffect(value, fields)
  if (CORS_LISTS.has(key)) return effect({ notes: fields.has(ORIGINS) ? [] : [NO_ORIGIN_NOTE] })
  if (key === POLICY && textOf(value) !== '')
    return refuse(
      'middleware',
      'whose Content-Security-Policy a record cannot say; an entry of your own catalogue can',
    )
  if (key === 'customrequestheaders') return requestHeaders(value, setting.tls)
  if (key === 'customresponseheaders') return responseHeaderEffect(value, setting.context)
  return refuse('middleware', `whose field ${named(key)} a record cannot say`)
}

function corsEffect(value: unknown, fields: ReadonlyMap<string, unknown>): Parsed<Effect> {
  const [origin, ...others] = listOf(value) ?? []
  if (origin === undefined || others.length > 0)
    return refuse('middleware', 'which allows several CORS origins; a record has one')
  const credentials = flagOf(fields.get('accesscontrolallowcredentials')) === true
  if (origin === '*')
    return credentials
      ? refuse('middleware', 'which lets every origin send credentials')
      : effect({ cors: { origin: null }, notes: [CORS_NOTE] })
  const parsed = FIELDS.cors_origin.parse(origin)
  if (!parsed.ok) return refuse('middleware', `whose CORS origin ${named(origin)} ${parsed.msg}`)
  const notes = credentials
    ? [CORS_NOTE]
    : [CORS_NOTE, `the CORS origin ${named(origin)} may now send credentials`]
  return effect({ cors: { origin: parsed.value }, notes })
}

const NO_ORIGIN_NOTE = 'CORS headers that allow no origin are dropped; the backend may now answer for itself'
const CORS_NOTE = 'the lists of CORS methods and headers become the built-in ones'

/** Request headers that only repeat what Traefik does anyway. */
function requestHeaders(value: unknown, tls: boolean): Parsed<Effect> {
  if (!isMapping(value)) return refuse('middleware', 'whose customRequestHeaders are no mapping')
  const entries = Object.entries(value).map(
    ([key, text]) => [key.toLowerCase(), (textOf(text) ?? '').toLowerCase()] as const,
  )
  const other = entries.find(
    ([key, text]) => !isUpgrade(key, text) && !(tls && key === 'x-forwarded-proto' && text === 'https'),
  )
  if (other !== undefined)
    return refuse(
      'middleware',
      other[1] === ''
        ? `which keeps the request header ${named(other[0])} from the backend`
        : `which sends the request header ${named(other[0])} to the backend`,
    )
  return effect({ websocket: entries.some(([key, text]) => key === 'upgrade' && isUpgrade(key, text)) })
}

const isUpgrade = (key: string, text: string): boolean =>
  (key === 'upgrade' && text === 'websocket') || (key === 'connection' && text === 'upgrade')

// `customResponseHeaders`: removals that hardly matter, and headers that the catalogue knows.

/** Refusals are clauses that follow the middleware's name. */
function responseHeaderEffect(value: unknown, context: ImportContext): Parsed<Effect> {
  if (!isMapping(value)) return refuse('middleware', 'whose customResponseHeaders are no mapping')
  let whole = effect({})
  for (const [header, text] of Object.entries(value)) {
    if (!whole.ok) break
    const part = oneHeader(header, textOf(text) ?? '', context)
    if (!part.ok) return part
    whole = both(whole.value, part.value)
  }
  return whole
}

function oneHeader(header: string, text: string, context: ImportContext): Parsed<Effect> {
  if (text === '') return effect({})
  const equal = equalEntry(
    { type: 'headers', config: { customResponseHeaders: { [header]: text } } },
    context,
  )
  if (equal !== null) return effect({ extras: [equal] })
  const robots =
    header.toLowerCase() === 'x-robots-tag' && /\b(?:none|noindex)\b/i.test(text)
      ? robotsEntry(context)
      : null
  return robots === null
    ? refuse('middleware', `which sets the response header ${named(header)}`)
    : effect({
        extras: [robots],
        notes: [`X-Robots-Tag ${named(text)} becomes ${named(robots)} of the catalogue`],
      })
}

/** The catalogue's way to keep search engines out: an entry that sets X-Robots-Tag and nothing else. */
function robotsEntry({ catalogue }: ImportContext): string | null {
  const entry = catalogue.find(({ type, config }) => {
    const headers =
      isMapping(config) && Object.keys(config).length === 1 ? config['customResponseHeaders'] : undefined
    const names = isMapping(headers) ? Object.keys(headers) : []
    return type === 'headers' && names.length === 1 && names[0]!.toLowerCase() === 'x-robots-tag'
  })
  return entry?.name ?? null
}
