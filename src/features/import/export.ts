/**
 * All records as one readable document. What `read.ts` makes of it creates the same fields again.
 *
 * A field that has its default is left out, so that the document shows what somebody decided; the fields without which
 * no record can be made are always there.
 */
import { Failure } from '../../kernel/failure.ts'
import {
  type DomainFields,
  type DomainRecord,
  FIELD_NAMES,
  type ServiceType,
} from '../../model/domain/record.ts'
import { checkNew } from '../../model/domain/rules.ts'
import type { DocumentData } from '../../ports/documents.ts'
import { ESTATE_VERSION, wantedStatus } from './entry.ts'

type Exported = DomainFields & Pick<DomainRecord, 'status'>

const ALWAYS: ReadonlySet<string> = new Set(['domain', 'service_type', 'environment'])
const BACKEND: ReadonlySet<string> = new Set(['backend_host', 'backend_port'])

/** `{ plumbline: 1, domains: [...] }`, sorted by domain (code units), each entry's keys in one fixed order. */
export function exportEstate(records: readonly Exported[]): DocumentData {
  const sorted = records.toSorted((a, b) => (a.domain < b.domain ? -1 : a.domain > b.domain ? 1 : 0))
  return { plumbline: ESTATE_VERSION, domains: sorted.map(entryOf) }
}

function entryOf(record: Exported): DocumentData {
  const usual = record.service_type === 'tcp-proxy' ? USUAL_TCP : USUAL_HTTP
  const names = FIELD_NAMES.filter((name) => ALWAYS.has(name) || !isUsual(name, record[name], usual[name]))
  const fields = Object.fromEntries(names.map((name) => [name, record[name] as DocumentData]))
  return { ...fields, status: wantedStatus(record.status) }
}

/** A backend has no default, only an absence: the minimal record below had to be given one. */
const isUsual = (name: string, value: unknown, usual: unknown): boolean =>
  BACKEND.has(name) ? value === null : JSON.stringify(value) === JSON.stringify(usual)

/** What a new record gets for the fields that nobody gave: read off the rules themselves, so it cannot differ. */
const USUAL_HTTP = minimal('http', {})
const USUAL_TCP: DomainFields = { ...minimal('tcp-proxy', { tcp_entrypoint: 'any' }), tcp_entrypoint: null }

function minimal(service_type: ServiceType, needed: Partial<DomainFields>): DomainFields {
  const checked = checkNew(
    {
      domain: 'any.example',
      service_type,
      environment: 'production',
      backend_host: 'any',
      backend_port: 1,
      ...needed,
    },
    {
      tcp_entrypoints: ['any'],
      tls_entrypoint: '',
      middlewares: new Map(),
      open_paths: new Map(),
      backend_authorities: new Set(),
    },
  )
  if (!checked.ok) throw new Failure('internal', 'estate: the rules refuse a minimal record')
  return checked.fields
}
