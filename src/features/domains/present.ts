/** A domain record as callers see it: the stored fields, and beside them what follows from them. */
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { canBeProtected } from '../../model/access/applies.ts'
import { INSECURE, isInsecure } from '../../model/domain/backend-rules.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import { unicodeName } from '../../model/domain/hostname.ts'
import type { Deps } from './deps.ts'

export type PresentedDomain = Omit<DomainRecord, 'created_at' | 'updated_at' | 'activated_at'> & {
  /** The name as people read it (U-labels). */
  readonly domain_unicode: string
  /** Whether sign-in can stand before it at all: `auth_required` stays as it was saved where it cannot. */
  readonly auth_applies: boolean
  /** Said as long as nobody looks at the certificate of the backend; else null. */
  readonly backend_warning: string | null
  /** The address that DNS serves for it; null where nothing is published. */
  readonly external_ip: string | null
  /** The port that clients use, or null for a record that is never rendered. */
  readonly external_port: number | null
  readonly created_at: string
  readonly updated_at: string
  readonly activated_at: string | null
}

/** What follows from the record and the settings; read-only for callers. */
export const READ_ONLY_FIELDS = [
  'id',
  'domain_unicode',
  'status_reason',
  'auth_applies',
  'backend_warning',
  'external_ip',
  'external_port',
  'revision',
  'created_at',
  'updated_at',
  'activated_at',
] as const satisfies readonly (keyof PresentedDomain)[]

export type Surroundings = Pick<Deps, 'entrypoint_ports' | 'https_entrypoint' | 'http_entrypoint'>

/** @param external_ip as `externalIps` finds it */
export function presentDomain(
  record: DomainRecord,
  surroundings: Surroundings,
  external_ip: string | null,
): PresentedDomain {
  return {
    ...record,
    domain_unicode: unicodeName(record.domain),
    auth_applies: canBeProtected(record),
    backend_warning: isInsecure(record) ? INSECURE : null,
    external_ip,
    external_port: externalPort(record, surroundings),
    created_at: isoTime(record.created_at),
    updated_at: isoTime(record.updated_at),
    activated_at: isoTimeOrNull(record.activated_at),
  }
}

function externalPort(record: DomainRecord, surroundings: Surroundings): number | null {
  const { entrypoint_ports, https_entrypoint, http_entrypoint } = surroundings
  if (record.service_type === 'manual') return null
  if (record.protocol === 'tcp') return entrypoint_ports[record.tcp_entrypoint ?? ''] ?? null
  return entrypoint_ports[record.ssl_enabled ? https_entrypoint : http_entrypoint] ?? null
}
