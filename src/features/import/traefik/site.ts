/** A router with its middlewares and its service, in the fields of a record. */
import { isIP } from 'node:net'
import type { FieldError } from '../../../kernel/failure.ts'
import type { ServiceType } from '../../../model/domain/record.ts'
import { checkNew, type Offer } from '../../../model/domain/rules.ts'
import { responseHeaders } from '../../../model/domain/response-headers.ts'
import { accept, type Parsed, refuse } from '../../../model/text/result.ts'
import { type Backend, backendOf } from './backend.ts'
import type { Setting } from './context.ts'
import type { Effect } from './effect.ts'
import { headerNotes } from './middlewares/header-notes.ts'
import type { ChainReading } from './middlewares/middlewares.ts'
import type { RouterOutcome, SiteFields } from './plan.ts'

export interface SiteParts {
  readonly hosts: readonly string[]
  readonly service: string
  readonly chain: ChainReading
  readonly setting: Setting
  readonly notes: readonly string[]
}

export function siteOf(parts: SiteParts): Parsed<RouterOutcome> {
  const { hosts, service, chain, setting } = parts
  const fault = redirectFault(parts)
  if (fault !== null) return refuse('middleware', fault)
  const backend = backendOf(service, setting)
  if (!backend.ok) return backend
  const type = serviceType(chain.effect, backend.value)
  if (!type.ok) return type
  const fields = fieldsOf(type.value, backend.value, { effect: chain.effect, setting })
  const checked = checkAll(hosts, fields, setting.context.offer)
  if (!checked.ok) return checked
  const notes = [...notesOn(parts, type.value, backend.value), ...checked.value]
  const uses = [...chain.uses, ...backend.value.uses]
  return accept({ kind: 'site', hosts, fields, notes, uses })
}

/** What no record does, as the end of a sentence about the router. */
function redirectFault({ hosts, chain: { effect }, setting }: SiteParts): string | null {
  const { landing } = effect
  if (effect.redirects_to_https && !setting.tls) return 'redirects to HTTPS only after other middlewares'
  const elsewhere = landing === null ? undefined : hosts.find((host) => ![null, host].includes(landing.host))
  return elsewhere === undefined ? null : `redirects the root of ${landing!.host}, not of ${elsewhere}`
}

const notesOn = (
  { chain: { effect }, setting: { context, tls }, notes }: SiteParts,
  type: ServiceType,
  backend: Backend,
): readonly string[] => [
  ...headerNotes(responseHeaders(effect.headers, tls), context.headersOf(effect.extras, tls)),
  ...notes,
  ...effect.notes,
  ...backend.notes,
  ...typeNotes(type, backend),
]

/** The warnings of the record rules, which every record of an import passes. */
function checkAll(hosts: readonly string[], fields: SiteFields, offer: Offer): Parsed<readonly string[]> {
  const warnings = new Set<string>()
  for (const domain of hosts) {
    const checked = checkNew({ domain, ...fields }, offer)
    if (!checked.ok)
      return refuse('record', `would break a rule of records: ${checked.errors.map(faultOf).join('; ')}`)
    for (const warning of checked.warnings) warnings.add(warning)
  }
  return accept([...warnings])
}

const faultOf = ({ loc, msg }: FieldError): string => `${loc.slice(1).join('.')} ${msg}`

/** `http` unless something says otherwise, and at most one thing may. */
function serviceType(effect: Effect, backend: Backend): Parsed<ServiceType> {
  const claims: ServiceType[] = []
  if (effect.internal) claims.push('internal')
  if (effect.websocket || backend.unbuffered) claims.push('websocket')
  if (backend.timeouts) claims.push('api')
  if (!backend.pass_host_header) claims.push('proxy')
  if (claims.length > 1) return refuse('service_type', `would have to be ${claims.join(' and ')} at once`)
  if (claims[0] === 'proxy' && !isOtherHost(backend.backend_host))
    return refuse(
      'service_type',
      `hides the host name from ${backend.backend_host}; a record does so for backends with a full name`,
    )
  return accept(claims[0] ?? 'http')
}

/** A name with a dot is another virtual host, which only knows its own name. */
const isOtherHost = (backend_host: string): boolean => backend_host.includes('.') && isIP(backend_host) === 0

function fieldsOf(
  service_type: ServiceType,
  { backend_host, backend_port, backend_scheme, backend_tls, health_check_path }: Backend,
  { effect, setting }: { effect: Effect; setting: Setting },
): SiteFields {
  return {
    service_type,
    environment: setting.context.environment,
    backend_host,
    backend_port,
    ...(backend_scheme !== null && { backend_scheme }),
    ...(backend_tls !== null && { backend_tls }),
    protocol: 'http',
    cors_enabled: effect.cors !== null,
    cors_origin: effect.cors?.origin ?? null,
    default_path: effect.landing?.path ?? null,
    auth_required: effect.auth,
    ssl_enabled: setting.tls,
    health_check_path,
    middleware_config: { extra_middlewares: effect.extras },
  }
}

function typeNotes(type: ServiceType, backend: Backend): string[] {
  if (type === 'api') return ['timeouts towards the backend become those of the service type api']
  return type === 'websocket' && !backend.unbuffered ? ['upgrade headers show a WebSocket service'] : []
}
