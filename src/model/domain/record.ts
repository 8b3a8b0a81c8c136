/** The domain record: what an operator says about one public name. Field names are column, model and JSON key alike. */
import type { Instant } from '../../kernel/clock.ts'
import type { BackendScheme, BackendTls } from './backend-tls.ts'

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
export const DOMAIN_SORTS = ['domain', '-domain', 'id', '-id', 'updated_at', '-updated_at'] as const

export type DomainSort = (typeof DOMAIN_SORTS)[number]
export type ServiceType = (typeof SERVICE_TYPES)[number]
export type Environment = (typeof ENVIRONMENTS)[number]
export type Protocol = (typeof PROTOCOLS)[number]
export type Status = (typeof STATUSES)[number]

export interface MiddlewareConfig {
  /** Names from the middleware catalogue, in the order in which they apply. */
  readonly extra_middlewares: readonly string[]
}

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

export const FIELD_NAMES = [
  'domain',
  'service_type',
  'environment',
  'backend_host',
  'backend_port',
  'backend_scheme',
  'backend_tls',
  'protocol',
  'tcp_entrypoint',
  'cors_enabled',
  'cors_origin',
  'default_path',
  'auth_required',
  'ddns_enabled',
  'ssl_enabled',
  'health_check_path',
  'middleware_config',
  'static_ip',
  'dns_ttl',
  'dns_proxied',
  'tags',
  'note',
] as const satisfies readonly (keyof DomainFields)[]

/** Does not compile when a field is missing in it: it would be taken from callers and never saved. */
FIELD_NAMES satisfies Exclude<keyof DomainFields, (typeof FIELD_NAMES)[number]> extends never
  ? unknown
  : never

/** Active and error records are meant to be reachable; `error` only says that a component refused so far. */
export const isLive = (record: Pick<DomainRecord, 'status'>): boolean =>
  record.status === 'active' || record.status === 'error'

/** The fields alone, in one fixed order, for comparing and for the released edition. */
export const fieldsOf = (record: DomainFields): DomainFields =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, record[name]])) as unknown as DomainFields

/** What is for people alone: no component reads it, so an edit of it has nothing to deploy. */
const INWARD_FIELDS: readonly (keyof DomainFields)[] = ['tags', 'note']

/** What a deploy of the record is about. */
export const outsideFields = (fields: DomainFields): Partial<DomainFields> =>
  Object.fromEntries(
    FIELD_NAMES.filter((name) => !INWARD_FIELDS.includes(name)).map((name) => [name, fields[name]]),
  )

/** A TCP route without TLS: it answers every name on its entrypoint, so an entrypoint can hold only one. */
export const isPlainTcp = (
  record: Pick<DomainFields, 'protocol' | 'ssl_enabled' | 'service_type'>,
): boolean => record.protocol === 'tcp' && !record.ssl_enabled && record.service_type !== 'manual'
