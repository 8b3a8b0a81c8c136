/**
 * A record as the writers see it: its traits, which decide the shape of its text, apart from its values, which are
 * merely pasted in. A writer that gets traits alone cannot, by its types, bake one record's name into another's route.
 */
import { isIP } from 'node:net'
import { Failure } from '../../../kernel/failure.ts'
import { hostPort } from '../../../model/network/address.ts'
import { type BackendScheme, schemeOf } from '../../../model/domain/backend-tls.ts'
import type { DomainFields, ServiceType } from '../../../model/domain/record.ts'
import { hasTransport } from './transports.ts'

export interface Traits {
  readonly service_type: ServiceType
  readonly ssl_enabled: boolean
  readonly auth_required: boolean
  readonly has_cors: boolean
  /** CORS names one origin. */
  readonly has_origin: boolean
  readonly has_home: boolean
  readonly has_health_check: boolean
  readonly scheme: BackendScheme
  /** Of its own, for TLS towards the backend. */
  readonly has_transport: boolean
  /** The backend is another virtual host, which knows its own name and not ours. */
  readonly is_foreign: boolean
  readonly extras: readonly string[]
}

export interface Values {
  readonly domain: string
  /** The backend's `host:port`. */
  readonly address: string
  /** Empty for none. */
  readonly health: string
  /** Of CORS; empty for any. */
  readonly origin: string
  /** Of a TCP route; empty for another. */
  readonly entrypoint: string
}

export const traitsOf = (fields: DomainFields): Traits => ({
  service_type: fields.service_type,
  ssl_enabled: fields.ssl_enabled,
  auth_required: fields.auth_required,
  has_cors: fields.cors_enabled,
  has_origin: fields.cors_origin !== null,
  has_home: fields.default_path !== null,
  has_health_check: fields.health_check_path !== null,
  scheme: schemeOf(fields),
  has_transport: hasTransport(fields),
  is_foreign: fields.service_type === 'proxy' && isDottedName(fields.backend_host!),
  extras: fields.middleware_config.extra_middlewares,
})

export const valuesOf = (fields: DomainFields): Values => ({
  domain: fields.domain,
  address: addressOf(fields),
  health: fields.health_check_path ?? '',
  origin: fields.cors_origin ?? '',
  entrypoint: fields.tcp_entrypoint ?? '',
})

const isDottedName = (host: string): boolean => host.includes('.') && isIP(host) === 0

/** The rules of a record and the constraints of its table see to it that a row that is rendered has a backend. */
function addressOf({ domain, backend_host, backend_port }: DomainFields): string {
  if (backend_host === null || backend_port === null)
    throw new Failure('internal', `routes: ${domain} has no backend; set backend_host and backend_port`)
  // Only an IPv6 address holds a colon; asking every host what it is would be a tenth of a rendering.
  return backend_host.includes(':') ? hostPort(backend_host, backend_port) : `${backend_host}:${backend_port}`
}
