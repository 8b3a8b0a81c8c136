/**
 * What must hold across the fields of one record, and how a new record gets its defaults.
 *
 * The four protocol rules stand here and, with the same meaning, as check constraints in `schema/0001-*.sql`; one test
 * feeds both the same table of cases.
 */
import { type FieldError, fieldError } from '../../kernel/failure.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { isProtected } from '../access/applies.ts'
import { isLoopback, isOwnHost } from '../network/address.ts'
import { signInFault } from '../access/applies.ts'
import { backendFaults, backendWarnings } from './backend-rules.ts'
import { type DomainFields, FIELD_NAMES, FIELDS } from './record.ts'
import { newNameFault } from './new-name.ts'
import { refuse } from '../text/result.ts'

/** What the installation offers, as far as a record may refer to it. */
export interface Offer {
  /** Entrypoint names that a TCP route may use. */
  readonly tcp_entrypoints: readonly string[]
  /** The entrypoint shared with HTTPS: a TCP route there must be told apart by its TLS name. */
  readonly tls_entrypoint: string
  /** Whether a star over HTTPS is asked before TCP routes there; left out where it is not. */
  readonly star_goes_first?: boolean
  /** Catalogue names, each with the service types and protocols that must not use it, with the reason. */
  readonly middlewares: ReadonlyMap<string, MiddlewareOffer>
  /** By domain: paths that are open to everybody where the domain is protected. */
  readonly open_paths: ReadonlyMap<string, readonly string[]>
  /** Names of authorities by which a backend's certificate may be judged. */
  readonly backend_authorities: ReadonlySet<string>
  /** Where the proxy runs, if that is known to be another host or container than ours. */
  readonly proxy_elsewhere?: string | null
}

export interface MiddlewareOffer {
  readonly unfit_for: Partial<Record<DomainFields['service_type'], string>>
  /** What it asks of whoever comes, such as a password; left out where it lets everybody pass. */
  readonly check?: string
  /** Whether it changes the path, or may hold something that does. */
  readonly changes_path: boolean
}

export type Checked =
  | { readonly ok: true; readonly fields: DomainFields; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/** Defaults of the specification; `protocol` follows the service type. */
function defaults(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(FIELDS).flatMap(([name, field]) =>
    'default' in field ? [[name, field.default] as const] : [],
  )
  return { ...Object.fromEntries(given), ...(input['service_type'] === 'tcp-proxy' && { protocol: 'tcp' }) }
}

/**
 * A new record's fields from a caller's values. Missing required fields, grammar and rules are reported together.
 * @param known the name under which a record is there already
 */
export const checkNew = (
  input: Readonly<Record<string, unknown>>,
  offer: Offer,
  known: string | null = null,
): Checked => check({ ...defaults(input), ...withoutUndefined(input) }, offer, newRules(known, null))

/** The fields after a change: present values, overwritten by the caller's. */
export const checkChanged = (
  present: DomainFields,
  change: Readonly<Record<string, unknown>>,
  offer: Offer,
): Checked => check({ ...present, ...withoutUndefined(change) }, offer, null)

/**
 * The fields of a saved record after an edit. An origin that an earlier version took, and that is refused by now, stays
 * where the edit does not touch it: it must not lock its record. Wherever it is written, it is quoted.
 */
export function checkEdited(
  present: DomainFields,
  change: Readonly<Record<string, unknown>>,
  offer: Offer,
): Checked {
  const { cors_origin, domain, static_ip } = present
  const { cors_origin: wanted = cors_origin } = change
  const edited = (more: Readonly<Record<string, unknown>>) =>
    check({ ...present, ...withoutUndefined(change), ...more }, offer, newRules(domain, static_ip))
  if (wanted !== cors_origin || FIELDS.cors_origin.parse(cors_origin).ok) return edited({})
  const checked = edited({ cors_origin: null })
  if (!checked.ok) return checked
  const warnings = [...checked.warnings, EARLIER_ORIGIN]
  return { ok: true, fields: { ...checked.fields, cors_origin }, warnings }
}

const EARLIER_ORIGIN =
  'cors_origin is one that an earlier version took and is kept as it is; set another, or null for every origin'

/** What is asked only of what is given anew: what is saved already must not lock its record. Null: nothing is new. */
type NewRules = ((fields: DomainFields) => FieldError[]) | null

const newRules =
  (known_name: string | null, known_ip: string | null): NewRules =>
  ({ domain, static_ip }) => [
    ...faultsOf('domain', 'domain_name', domain === known_name ? null : newNameFault(domain)),
    ...faultsOf('static_ip', 'ip_address', static_ip === known_ip ? null : newAddressFault(static_ip)),
  ]

const faultsOf = (field: string, type: string, fault: string | null): FieldError[] =>
  fault === null ? [] : [fieldError(['body', field], fault, type)]

const newAddressFault = (static_ip: string | null): string | null =>
  static_ip !== null && isLoopback(static_ip)
    ? 'must not be a loopback address, which leads every visitor to their own machine'
    : null

/** All faults together: a rule is judged as far as the fields that it looks at have their form. */
function check(values: Readonly<Record<string, unknown>>, offer: Offer, rulesForNew: NewRules): Checked {
  const errors: FieldError[] = []
  const parsed: Record<string, unknown> = {}
  for (const name of FIELD_NAMES) {
    const result = values[name] === undefined ? MISSING : FIELDS[name].parse(values[name])
    if (result.ok) parsed[name] = result.value
    else errors.push(fieldError(['body', name], result.msg, result.type))
  }
  const named = new Set(errors.map(({ loc }) => loc[1]))
  const fields = { ...STAND_INS, ...parsed } as unknown as DomainFields
  const broken = [
    ...(rulesForNew?.(fields) ?? []),
    ...requiredBackend(fields, named),
    ...protocolRules(fields),
    ...backendFaults(fields, offer.backend_authorities),
    ...offerRules(fields, offer),
  ].filter(({ loc }) => !named.has(loc[1]))
  return errors.length + broken.length > 0
    ? { ok: false, errors: [...errors, ...broken] }
    : { ok: true, fields, warnings: warningsOf(fields, offer) }
}

const MISSING = refuse('missing', 'is required')

/** For what has not its form: what no rule takes offence at. */
const STAND_INS: DomainFields = {
  ...(defaults({}) as unknown as DomainFields),
  domain: 'placeholder.invalid',
  service_type: 'http',
  environment: 'production',
}

function requiredBackend(fields: DomainFields, named: ReadonlySet<unknown>): FieldError[] {
  const needed = fields.service_type !== 'manual' || fields.protocol === 'tcp'
  const why = named.has('service_type')
    ? 'unless service_type is manual'
    : `for service_type ${fields.service_type}`
  const text = `is required ${fields.protocol === 'tcp' ? 'when protocol is tcp' : why}`
  return (['backend_host', 'backend_port'] as const)
    .filter((name) => needed && fields[name] === null)
    .map((name) => fieldError(['body', name], text, 'missing'))
}

function protocolRules(fields: DomainFields): FieldError[] {
  const errors: FieldError[] = []
  if (fields.service_type === 'tcp-proxy' && fields.protocol !== 'tcp')
    errors.push(fieldError(['body', 'protocol'], 'must be tcp for service_type tcp-proxy', 'protocol_rule'))
  if (fields.protocol !== 'tcp') return errors
  if (fields.tcp_entrypoint === null)
    errors.push(fieldError(['body', 'tcp_entrypoint'], 'TCP routes require tcp_entrypoint', 'protocol_rule'))
  if (fields.cors_enabled)
    errors.push(fieldError(['body', 'cors_enabled'], 'TCP routes cannot use CORS', 'protocol_rule'))
  if (fields.default_path !== null)
    errors.push(fieldError(['body', 'default_path'], 'must be null when protocol is tcp', 'protocol_rule'))
  return errors
}

function offerRules(fields: DomainFields, offer: Offer): FieldError[] {
  const errors: FieldError[] = []
  if (fields.protocol === 'tcp' && fields.tcp_entrypoint !== null)
    errors.push(...entrypointRules(fields, offer))
  for (const name of fields.middleware_config.extra_middlewares) {
    const loc = ['body', 'middleware_config', 'extra_middlewares']
    const offered = offer.middlewares.get(name)
    if (offered === undefined)
      errors.push(
        fieldError(
          loc,
          `"${name}" is not in the middleware catalogue.${didYouMean(name, offer.middlewares.keys())}`,
          'unknown_middleware',
        ),
      )
    else if (fields.protocol === 'tcp')
      errors.push(
        fieldError(loc, `"${name}" is an HTTP middleware; TCP routes cannot use it`, 'protocol_rule'),
      )
    else if (offered.unfit_for[fields.service_type] !== undefined)
      errors.push(fieldError(loc, `"${name}" ${offered.unfit_for[fields.service_type]}`, 'unfit_middleware'))
    else if (offered.changes_path && isProtected(fields) && offer.open_paths.has(fields.domain))
      errors.push(fieldError(loc, changesOpenPaths(name, fields.domain), 'unfit_middleware'))
  }
  return errors
}

/** What is open is decided by the path as it was sent, so the backend has to get that very path. */
const changesOpenPaths = (name: string, domain: string): string =>
  `"${name}" may change the path, and ${domain} has open paths (bypass in PLUMBLINE_SSO_POLICIES_FILE), which are decided by the path as it was sent; take one of the two out`

function entrypointRules(fields: DomainFields, offer: Offer): FieldError[] {
  const name = fields.tcp_entrypoint!
  const loc = ['body', 'tcp_entrypoint']
  if (!offer.tcp_entrypoints.includes(name))
    return [
      fieldError(
        loc,
        `"${name}" is not a TCP entrypoint of this installation (${offer.tcp_entrypoints.join(', ') || 'none'}); ` +
          `add it to PLUMBLINE_ENTRYPOINTS, as ${name}=port/tcp.${didYouMean(name, offer.tcp_entrypoints)}`,
        'unknown_entrypoint',
      ),
    ]
  if (name === offer.tls_entrypoint && !fields.ssl_enabled)
    return [
      fieldError(loc, `"${name}" also serves HTTPS; a TCP route there needs ssl_enabled`, 'protocol_rule'),
    ]
  return []
}

function warningsOf(fields: DomainFields, { proxy_elsewhere = null }: Offer): string[] {
  const warnings: string[] = []
  const fault = signInFault(fields)
  if (fault !== null) warnings.push(fault)
  if (fields.protocol === 'tcp' && fields.health_check_path !== null)
    warnings.push('health_check_path has no effect when protocol is tcp')
  if (fields.protocol === 'http' && fields.tcp_entrypoint !== null)
    warnings.push('tcp_entrypoint has no effect when protocol is http')
  if (fields.cors_origin !== null && !fields.cors_enabled)
    warnings.push('cors_origin has no effect until cors_enabled is true')
  if (proxy_elsewhere !== null && fields.backend_host !== null && isOwnHost(fields.backend_host))
    warnings.push(
      `backend_host ${fields.backend_host} is the proxy itself, which runs at ${proxy_elsewhere}: ` +
        'give the address at which it reaches the backend',
    )
  warnings.push(...backendWarnings(fields))
  return warnings
}

const withoutUndefined = (input: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
