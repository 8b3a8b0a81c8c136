/** The domain record: what an operator says about one public name. Field names are column, model and JSON key alike. */
import type { Instant } from '../../kernel/clock.ts'
import {
  BACKEND_HOST,
  checkedPath,
  DOMAIN_NAME,
  formOf,
  landingPath,
  ORIGIN,
  plainText,
  PUBLISHED_ADDRESS,
  type TextForm,
} from '../text/form.ts'
import { accept } from '../text/result.ts'
import { parseAddress } from '../network/address.ts'
import { BACKEND_SCHEMES, type BackendScheme, type BackendTls, parseBackendTls } from './backend-tls.ts'
import {
  boolean,
  bounded,
  ENTRYPOINT,
  type FieldParser,
  MAX_NOTE,
  MAX_ORIGIN,
  MAX_PATH,
  type MiddlewareConfig,
  nullable,
  oneOf,
  parseBackendHost,
  parseCheckPath,
  parseEntrypoint,
  parseLanding,
  parseMiddlewareConfig,
  parseOrigin,
  parsePort,
  parseTags,
  parseTtl,
} from './grammar.ts'
import { parseDomainName } from './hostname.ts'

/** The order is the specification's; `manual` is externally managed and never rendered. */
export const SERVICE_TYPES = [
  'http',
  'api',
  'spa',
  'proxy',
  'websocket',
  'static',
  'tcp-proxy',
  'internal',
  'manual',
] as const
export const ENVIRONMENTS = ['production', 'development'] as const
export const PROTOCOLS = ['http', 'tcp'] as const
export const STATUSES = ['active', 'inactive', 'disabled', 'error'] as const

/** Orders in which records can be listed; a leading minus turns one round. */
export const DOMAIN_SORTS = [
  'domain',
  '-domain',
  'id',
  '-id',
  'updated_at',
  '-updated_at',
  'created_at',
  '-created_at',
  'status',
  '-status',
  'service_type',
  '-service_type',
  'backend_host',
  '-backend_host',
] as const

export type DomainSort = (typeof DOMAIN_SORTS)[number]
export type ServiceType = (typeof SERVICE_TYPES)[number]
export type Environment = (typeof ENVIRONMENTS)[number]
export type Protocol = (typeof PROTOCOLS)[number]
export type Status = (typeof STATUSES)[number]

/** The part of a record that its owner writes. Every change of it raises `revision` by one. */
export interface DomainFields {
  /** Lower-case A-label form, one leading `*.` allowed. Unique. */
  readonly domain: string
  readonly service_type: ServiceType
  readonly environment: Environment
  readonly backend_host: string | null
  readonly backend_port: number | null
  /** Null: https on port 443, else http; see `schemeOf`. */
  readonly backend_scheme: BackendScheme | null
  /** Null for an authority that the proxy's host trusts. */
  readonly backend_tls: BackendTls | null
  readonly protocol: Protocol
  readonly tcp_entrypoint: string | null
  readonly cors_enabled: boolean
  readonly cors_origin: string | null
  readonly default_path: string | null
  readonly auth_required: boolean
  readonly ddns_enabled: boolean
  readonly ssl_enabled: boolean
  readonly health_check_path: string | null
  readonly middleware_config: MiddlewareConfig
  readonly static_ip: string | null
  /** Seconds; null for the installation's default. */
  readonly dns_ttl: number | null
  /** Through the DNS provider's own proxy, where it has one; null leaves it as it is. */
  readonly dns_proxied: boolean | null
  readonly tags: readonly string[]
  readonly note: string | null
}

export interface DomainRecord extends DomainFields {
  readonly id: number
  readonly status: Status
  /** Why the record is in `error`, else null. Set by the reconciler, never by a caller; no change of revision. */
  readonly status_reason: string | null
  readonly revision: number
  readonly created_at: Instant
  readonly updated_at: Instant
  /** When it was first activated, null for never. */
  readonly activated_at: Instant | null
}

/** How a column holds a value: as it is, as 0 or 1, as JSON. Null stays null. */
export type Stored<T> =
  Exclude<T, null> extends boolean ? 'flag' : Exclude<T, null> extends string | number ? 'plain' : 'json'

/** Those that hold a text of no closed list. */
export type TextField = {
  [K in keyof DomainFields]: string extends Exclude<DomainFields[K], null> ? K : never
}[keyof DomainFields]

interface Field<T> {
  readonly stored: Stored<T>
  /**
   * What it is to the route: it closes it; or it says where the route leads, and what stands in it for those who get in anyway; or it
   * is no matter of the proxy's.
   */
  readonly route: 'protects' | 'leads' | 'apart'
  /** Of a new record. Left out where a caller must say it. */
  readonly default?: T
  /** From any JSON value to the canonical one. */
  readonly parse: FieldParser<T>
  /** For people alone: no component reads it, so an edit of it has nothing to deploy. */
  readonly inward?: true
}

/** What the text looks like, for its description. */
interface Formed {
  readonly form: TextForm
}

/**
 * Every field, in the specification's order: a missing one does not compile. Nor does one without words for callers in
 * `writable` (`http/common-views.ts`), those of the command in `FIELD_ARGUMENTS` (`domains/command/fields.ts`), or a name for
 * people in the console (`ui/model/record-fields.ts`).
 * What no compiler sees: its column, which a migration brings as `schema/0017-backend-tls.sql` does, and what renders it, in
 * `routes/render/` with every trait also in the shape by which `routes/fast/` tells records apart.
 */
export const FIELDS: {
  readonly [K in keyof DomainFields]: Field<DomainFields[K]> & (K extends TextField ? Formed : unknown)
} = {
  domain: {
    stored: 'plain',
    route: 'protects',
    parse: bounded(1024, 'domain_name', parseDomainName),
    form: DOMAIN_NAME,
  },
  service_type: { stored: 'plain', route: 'protects', parse: oneOf(SERVICE_TYPES) },
  environment: { stored: 'plain', route: 'apart', parse: oneOf(ENVIRONMENTS) },
  backend_host: {
    stored: 'plain',
    route: 'leads',
    default: null,
    parse: nullable(bounded(253, 'backend_host', parseBackendHost)),
    form: BACKEND_HOST,
  },
  backend_port: { stored: 'plain', route: 'leads', default: null, parse: nullable(parsePort) },
  backend_scheme: { stored: 'plain', route: 'leads', default: null, parse: nullable(oneOf(BACKEND_SCHEMES)) },
  backend_tls: { stored: 'json', route: 'leads', default: null, parse: nullable(parseBackendTls) },
  // Of a tcp-proxy it is tcp.
  protocol: { stored: 'plain', route: 'protects', default: 'http', parse: oneOf(PROTOCOLS) },
  tcp_entrypoint: {
    stored: 'plain',
    route: 'protects',
    default: null,
    parse: nullable(bounded(64, 'tcp_entrypoint', parseEntrypoint)),
    form: formOf(ENTRYPOINT),
  },
  cors_enabled: { stored: 'flag', route: 'protects', default: false, parse: boolean },
  cors_origin: {
    stored: 'plain',
    route: 'protects',
    default: null,
    parse: nullable(bounded(MAX_ORIGIN, 'cors_origin', parseOrigin)),
    form: ORIGIN,
  },
  default_path: {
    stored: 'plain',
    route: 'leads',
    default: null,
    parse: nullable(bounded(MAX_PATH, 'path', parseLanding)),
    form: landingPath(MAX_PATH),
  },
  auth_required: { stored: 'flag', route: 'protects', default: true, parse: boolean },
  ddns_enabled: { stored: 'flag', route: 'apart', default: false, parse: boolean },
  ssl_enabled: { stored: 'flag', route: 'protects', default: true, parse: boolean },
  health_check_path: {
    stored: 'plain',
    route: 'leads',
    default: null,
    parse: nullable(bounded(MAX_PATH, 'path', parseCheckPath)),
    form: checkedPath(MAX_PATH),
  },
  middleware_config: {
    stored: 'json',
    route: 'protects',
    default: { extra_middlewares: [] },
    parse: parseMiddlewareConfig,
  },
  static_ip: {
    stored: 'plain',
    route: 'apart',
    default: null,
    parse: nullable(bounded(64, 'ip_address', parseAddress)),
    form: PUBLISHED_ADDRESS,
  },
  dns_ttl: { stored: 'plain', route: 'apart', default: null, parse: nullable(parseTtl) },
  // The DNS provider's proxy may ask for a sign-in of its own, which the direct way passes by.
  dns_proxied: { stored: 'flag', route: 'protects', default: null, parse: nullable(boolean) },
  tags: { stored: 'json', route: 'apart', default: [], parse: parseTags, inward: true },
  note: {
    stored: 'plain',
    route: 'apart',
    default: null,
    parse: nullable(bounded(MAX_NOTE, 'text', accept)),
    form: plainText(MAX_NOTE),
    inward: true,
  },
}

/**
 * Fields that came when saved rows had digests already, in this order for good: a further one goes to the end. A new record
 * field that is missing here does not compile (`store/intent/record-digest.ts`).
 */
export const LATER_FIELDS = [
  'backend_scheme',
  'backend_tls',
] as const satisfies readonly (keyof DomainFields)[]

export const FIELD_NAMES = Object.keys(FIELDS) as readonly (keyof DomainFields)[]

/** Active and error records are meant to be reachable; `error` only says that a component refused so far. */
export const isLive = (record: Pick<DomainRecord, 'status'>): boolean =>
  record.status === 'active' || record.status === 'error'

/** The fields alone, in one fixed order, for comparing and for the released edition. */
export const fieldsOf = (record: DomainFields): DomainFields =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, record[name]])) as unknown as DomainFields

/** Whether a deploy brings it out; else it is in force as soon as it is saved. */
export const isOutside = (name: string): boolean =>
  !FIELD_NAMES.some((field) => field === name && FIELDS[field].inward === true)

export const OUTSIDE_FIELDS = FIELD_NAMES.filter(isOutside)

const PROTECTING = FIELD_NAMES.filter((name) => FIELDS[name].route === 'protects')

/** What closes its route, for whoever may bring back an older one. */
export const protectingFields = (fields: DomainFields): readonly unknown[] =>
  PROTECTING.map((name) => fields[name])

/** What a deploy of the record is about. */
export const outsideFields = (fields: DomainFields): Partial<DomainFields> =>
  Object.fromEntries(OUTSIDE_FIELDS.map((name) => [name, fields[name]]))

/** A TCP route without TLS: it answers every name on its entrypoint, so an entrypoint can hold only one. */
export const isPlainTcp = (
  record: Pick<DomainFields, 'protocol' | 'ssl_enabled' | 'service_type'>,
): boolean => record.protocol === 'tcp' && !record.ssl_enabled && record.service_type !== 'manual'
