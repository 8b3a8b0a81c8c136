/** Domain records to table rows and back. SQLite binds no booleans and no objects, so every conversion stands here. */
import type { Insertable, Selectable } from 'kysely'
import {
  type DomainFields,
  type DomainRecord,
  FIELD_NAMES,
  fieldsOf,
  isPlainTcp,
  type MiddlewareConfig,
} from '../model/domain/record.ts'
import type { BackendTls } from '../model/domain/backend-tls.ts'
import type { IntentRow } from '../model/intent.ts'
import type { ReleaseRow } from '../ports/records/trails.ts'
import { damagedValue, storedJson } from './stored-json.ts'
import type { DomainsTable, Flag, ReleasedTable, ReleaseRowsTable } from './tables.ts'

const flag = (value: boolean): Flag => (value ? 1 : 0)

type FieldColumns = Pick<Insertable<DomainsTable>, keyof DomainFields>

export const columnsOf = (fields: DomainFields): FieldColumns => ({
  domain: fields.domain,
  service_type: fields.service_type,
  environment: fields.environment,
  backend_host: fields.backend_host,
  backend_port: fields.backend_port,
  backend_scheme: fields.backend_scheme,
  backend_tls: fields.backend_tls === null ? null : JSON.stringify(fields.backend_tls),
  protocol: fields.protocol,
  tcp_entrypoint: fields.tcp_entrypoint,
  cors_enabled: flag(fields.cors_enabled),
  cors_origin: fields.cors_origin,
  default_path: fields.default_path,
  auth_required: flag(fields.auth_required),
  ddns_enabled: flag(fields.ddns_enabled),
  ssl_enabled: flag(fields.ssl_enabled),
  health_check_path: fields.health_check_path,
  middleware_config: JSON.stringify(fields.middleware_config),
  static_ip: fields.static_ip,
  dns_ttl: fields.dns_ttl,
  dns_proxied: fields.dns_proxied === null ? null : flag(fields.dns_proxied),
  tags: JSON.stringify(fields.tags),
  note: fields.note,
})

export const recordOf = (row: Selectable<DomainsTable>): DomainRecord => ({
  id: row.id,
  domain: row.domain,
  service_type: row.service_type,
  environment: row.environment,
  backend_host: row.backend_host,
  backend_port: row.backend_port,
  backend_scheme: row.backend_scheme,
  backend_tls: row.backend_tls === null ? null : storedJson<BackendTls>(row.backend_tls),
  protocol: row.protocol,
  tcp_entrypoint: row.tcp_entrypoint,
  cors_enabled: row.cors_enabled === 1,
  cors_origin: row.cors_origin,
  default_path: row.default_path,
  auth_required: row.auth_required === 1,
  ddns_enabled: row.ddns_enabled === 1,
  ssl_enabled: row.ssl_enabled === 1,
  health_check_path: row.health_check_path,
  middleware_config: storedJson<MiddlewareConfig>(row.middleware_config),
  static_ip: row.static_ip,
  dns_ttl: row.dns_ttl,
  dns_proxied: row.dns_proxied === null ? null : row.dns_proxied === 1,
  tags: storedJson<string[]>(row.tags),
  note: row.note,
  status: row.status,
  status_reason: row.status_reason,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
  activated_at: row.activated_at,
})

/** The columns of the released edition, without the release's number. */
export const releasedColumnsOf = (row: IntentRow): Omit<ReleasedTable, 'release'> => ({
  domain_id: row.domain_id,
  revision: row.revision,
  live: flag(row.live),
  retired: flag(row.retired),
  domain: row.fields.domain,
  plain_tcp_entrypoint: isPlainTcp(row.fields) ? row.fields.tcp_entrypoint : null,
  fields: JSON.stringify(fieldsOf(row.fields)),
})

export const releasedRowOf = (
  row: Pick<ReleasedTable, 'domain_id' | 'revision' | 'live' | 'retired' | 'fields'>,
): IntentRow => ({
  domain_id: row.domain_id,
  revision: row.revision,
  live: row.live === 1,
  retired: row.retired === 1,
  fields: wholeFields(row.fields),
})

/** What a release moved: a row in, or a domain out. */
export function moveOf({ domain_id, revision, live, retired, fields }: ReleaseRowsTable): ReleaseRow {
  const out = revision === null || live === null || fields === null
  return { domain_id, row: out ? null : releasedRowOf({ domain_id, revision, live, retired, fields }) }
}

/** A key lost to a flipped bit would read as undefined, that is as "no": an `auth_required` must not end like that. */
function wholeFields(text: string): DomainFields {
  const fields = storedJson<DomainFields>(text)
  if (FIELD_NAMES.some((name) => fields[name] === undefined)) throw damagedValue('lacks a field', text)
  return fields
}
