/**
 * Every field of a record: its name for people, and whether the form has a place for it or an update keeps it as it is. A missing one
 * does not compile: a copy would lose it.
 */
import type { DomainEditions } from '../api/types.ts'

type RecordField = DomainEditions['moved'][number]

export const RECORD_FIELDS = {
  domain: ['Name', 'typed'],
  service_type: ['Kind', 'typed'],
  environment: ['Environment', 'typed'],
  backend_host: ['Host', 'typed'],
  backend_port: ['Port', 'typed'],
  backend_scheme: ['Scheme', 'typed'],
  backend_tls: ['Trust of the backend', 'kept'],
  protocol: ['Protocol', 'kept'],
  tcp_entrypoint: ['Entry point', 'kept'],
  cors_enabled: ['CORS', 'kept'],
  cors_origin: ['CORS origin', 'kept'],
  default_path: ['Start path', 'typed'],
  auth_required: ['Sign-in', 'typed'],
  ddns_enabled: ['Dynamic DNS', 'typed'],
  ssl_enabled: ['TLS', 'typed'],
  health_check_path: ['Health path', 'typed'],
  middleware_config: ['Middlewares', 'typed'],
  static_ip: ['Address', 'typed'],
  dns_ttl: ['TTL', 'typed'],
  dns_proxied: ['Proxied', 'kept'],
  tags: ['Tags', 'typed'],
  note: ['Note', 'typed'],
} as const satisfies Readonly<Record<RecordField, readonly [string, 'typed' | 'kept']>>

export const RECORD_FIELD_NAMES = Object.keys(RECORD_FIELDS) as readonly RecordField[]

/** Those that the form has a place for: one that it has none for does not compile (`draft.ts`). */
export type TypedField = {
  [Name in RecordField]: (typeof RECORD_FIELDS)[Name][1] extends 'typed' ? Name : never
}[RecordField]
