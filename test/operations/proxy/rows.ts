/** Rows of an edition with everything usual in them. */
import type { DomainFields } from '../../../src/model/domain.ts'
import type { IntentRow } from '../../../src/model/intent.ts'

export const rowLike = (
  {
    domain_id,
    revision = 1,
    live = true,
    retired = false,
  }: Partial<Omit<IntentRow, 'fields'>> & Pick<IntentRow, 'domain_id'>,
  fields: Partial<DomainFields> = {},
): IntentRow => ({
  domain_id,
  revision,
  live,
  retired,
  fields: {
    domain: `d${domain_id}.example.com`,
    service_type: 'http',
    environment: 'production',
    backend_host: '10.0.0.5',
    backend_port: 8080,
    protocol: 'http',
    tcp_entrypoint: null,
    cors_enabled: false,
    cors_origin: null,
    default_path: null,
    auth_required: true,
    ddns_enabled: false,
    ssl_enabled: true,
    health_check_path: null,
    middleware_config: { extra_middlewares: [] },
    static_ip: null,
    dns_ttl: null,
    dns_proxied: null,
    tags: [],
    note: null,
    ...fields,
  },
})
