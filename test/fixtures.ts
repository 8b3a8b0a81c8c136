/** Records for tests: name what matters to the test, the rest is what a careful operator would have written. */
import type { DomainFields } from '../src/model/domain/record.ts'
import { byDomain, type Intent, type IntentRow } from '../src/model/intent.ts'

/** Valid fields of a public web service behind SSO. */
export const someFields = (over: Partial<DomainFields> = {}): DomainFields => ({
  domain: 'app.example.com',
  service_type: 'http',
  environment: 'production',
  backend_host: '10.0.0.10',
  backend_port: 8080,
  backend_scheme: null,
  backend_tls: null,
  protocol: over.service_type === 'tcp-proxy' ? 'tcp' : 'http',
  tcp_entrypoint: over.service_type === 'tcp-proxy' || over.protocol === 'tcp' ? 'postgres' : null,
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
  ...over,
})

export type RowWish = Partial<DomainFields> & Partial<Omit<IntentRow, 'fields'>>

/** A live row of an edition. */
export const aRow = ({
  domain_id = 1,
  revision = 1,
  live = true,
  retired = false,
  ...over
}: RowWish = {}): IntentRow => ({
  domain_id,
  revision,
  live,
  retired,
  fields: someFields(over),
})

/** An edition with these rows, numbered as given and ordered as the store orders them. */
export const anIntent = (...rows: readonly RowWish[]): Intent => ({
  rows: rows.map((row, i) => aRow({ domain_id: i + 1, ...row })).sort(byDomain),
})
