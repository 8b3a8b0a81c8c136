/** Which fields of a record close its route, for whoever may bring back an older one. Pure. */
import { digestOf } from '../../../kernel/digest.ts'
import { type DomainFields, FIELD_NAMES } from '../../../model/domain/record.ts'

/**
 * Every field: a new one does not compile before somebody has decided. `leads`: where the route leads, and what stands in it
 * for those who get in anyway; `apart`: no matter of the proxy's.
 */
const ROLE: Readonly<Record<keyof DomainFields, 'protects' | 'leads' | 'apart'>> = {
  domain: 'protects',
  service_type: 'protects',
  environment: 'apart',
  backend_host: 'leads',
  backend_port: 'leads',
  backend_scheme: 'leads',
  backend_tls: 'leads',
  protocol: 'protects',
  tcp_entrypoint: 'protects',
  cors_enabled: 'protects',
  cors_origin: 'protects',
  default_path: 'leads',
  auth_required: 'protects',
  ddns_enabled: 'apart',
  ssl_enabled: 'protects',
  health_check_path: 'leads',
  middleware_config: 'protects',
  static_ip: 'apart',
  dns_ttl: 'apart',
  // The DNS provider's proxy may ask for a sign-in of its own, which the direct way passes by.
  dns_proxied: 'protects',
  tags: 'apart',
  note: 'apart',
}

const PROTECTING = FIELD_NAMES.filter((name) => ROLE[name] === 'protects')

/** The same for two records whose routes are protected alike. */
export const protectionOf = (fields: DomainFields): string => digestOf(PROTECTING.map((name) => fields[name]))
