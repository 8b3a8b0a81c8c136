/** What the table of domains shows of each: its record and its lamps, joined. */
import type { LampRow } from '../api/lamps.ts'
import type { Domain } from '../api/types.ts'
import type { FilterRow } from './filter.ts'
import type { Lamp } from './lamps.ts'

export interface DomainRow extends FilterRow {
  readonly access: string
  readonly causes: Readonly<Record<string, string>>
  readonly record: Domain
}

const UNKNOWN: readonly Lamp[] = ['unknown', 'unknown', 'unknown', 'unknown', 'unknown']

export function domainRows(
  domains: readonly Domain[],
  lamps: ReadonlyMap<number, LampRow>,
  certificates: ReadonlyMap<number, number> = new Map(),
): readonly DomainRow[] {
  return domains.map((record) => rowOf(record, lamps.get(record.id), certificates.get(record.id) ?? null))
}

function rowOf(record: Domain, known: LampRow | undefined, certificate_days: number | null): DomainRow {
  const { id, domain, service_type, environment, status, tags, note, updated_at } = record
  return {
    id,
    domain,
    domain_unicode: record.domain_unicode,
    target: targetText(record),
    kind: service_type,
    status,
    environment,
    tags,
    note: note ?? '',
    open: isOpen(record),
    pending: known?.pending ?? false,
    updated_at: Date.parse(updated_at),
    lamps: known?.lamps ?? UNKNOWN,
    certificate_days,
    access: accessText(record),
    causes: known?.causes ?? {},
    record,
  }
}

type Target = Pick<Domain, 'backend_host' | 'backend_port' | 'service_type'>

export function targetText({ backend_host, backend_port, service_type }: Target): string {
  if (backend_host === null) return service_type === 'manual' ? 'by hand' : '–'
  const host = backend_host.includes(':') ? `[${backend_host}]` : backend_host
  return backend_port === null ? host : `${host}:${backend_port}`
}

type Who = Pick<Domain, 'auth_required' | 'auth_applies' | 'service_type' | 'protocol' | 'status'>

/** No sign-in stands before TCP: as Access says it. */
const OPEN_TCP = 'open to all, by TCP'
/** Its network is asked, and nobody signs in: not "open to all". */
const OPEN_INSIDE = 'open to whoever reaches it inside'

/** By what is saved; who gets in is neither asked nor open where nothing of the record is served, or somebody else serves it. */
export function accessText({ auth_required, auth_applies, service_type, protocol, status }: Who): string {
  if (service_type === 'manual') return 'decided elsewhere'
  if (status === 'disabled') return 'nobody'
  if (service_type === 'internal')
    return auth_required && auth_applies ? 'signed in, from inside' : OPEN_INSIDE
  if (protocol === 'tcp') return OPEN_TCP
  if (auth_required && auth_applies) return 'signed in'
  return auth_required ? 'sign-in asked, not applied' : 'open to all'
}

const isOpen = (record: Who): boolean => ['open to all', OPEN_TCP].includes(accessText(record))
