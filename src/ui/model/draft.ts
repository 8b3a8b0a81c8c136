/** A domain as it is typed: every field a text, and back to what the API takes. */
import type { Domain } from '../api/types.ts'
import { RECORD_FIELDS, RECORD_FIELD_NAMES, type TypedField } from './record-fields.ts'

export interface Draft {
  readonly domain: string
  readonly backend_host: string
  readonly backend_port: string
  readonly service_type: string
  readonly environment: string
  readonly auth_required: string
  readonly backend_scheme: string
  readonly health_check_path: string
  readonly default_path: string
  readonly ssl_enabled: string
  readonly ddns_enabled: string
  readonly static_ip: string
  readonly dns_ttl: string
  readonly middlewares: string
  readonly tags: string
  readonly note: string
}

/** Of a new record: as the API has them where nothing is said. */
export const EMPTY: Draft = {
  domain: '',
  backend_host: '',
  backend_port: '',
  service_type: 'http',
  environment: 'production',
  auth_required: 'yes',
  backend_scheme: '',
  health_check_path: '',
  default_path: '',
  ssl_enabled: 'yes',
  ddns_enabled: 'no',
  static_ip: '',
  dns_ttl: '',
  middlewares: '',
  tags: '',
  note: '',
}

export interface FormField {
  readonly field: keyof Draft
  readonly kind: 'text' | 'choice' | 'select'
  readonly options?: readonly (readonly [string, string])[]
}

const YES_NO = [
  ['yes', 'yes'],
  ['no', 'no'],
] as const

const KINDS = ['http', 'api', 'spa', 'proxy', 'websocket', 'static', 'tcp-proxy', 'internal', 'manual']

export const FIELDS: readonly FormField[] = [
  { field: 'domain', kind: 'text' },
  { field: 'backend_host', kind: 'text' },
  { field: 'backend_port', kind: 'text' },
  {
    field: 'auth_required',
    kind: 'choice',
    options: [
      ['yes', 'required'],
      ['no', 'open to all'],
    ],
  },
  { field: 'service_type', kind: 'select', options: KINDS.map((kind) => [kind, kind]) },
  {
    field: 'environment',
    kind: 'choice',
    options: [
      ['production', 'production'],
      ['development', 'development'],
    ],
  },
  {
    field: 'backend_scheme',
    kind: 'choice',
    options: [
      ['', 'by the port'],
      ['http', 'http'],
      ['https', 'https'],
      ['h2c', 'h2c'],
    ],
  },
  { field: 'health_check_path', kind: 'text' },
  { field: 'default_path', kind: 'text' },
  { field: 'ssl_enabled', kind: 'choice', options: YES_NO },
  { field: 'ddns_enabled', kind: 'choice', options: YES_NO },
  { field: 'static_ip', kind: 'text' },
  { field: 'dns_ttl', kind: 'text' },
  { field: 'middlewares', kind: 'text' },
  { field: 'tags', kind: 'text' },
  { field: 'note', kind: 'text' },
]

const yesNo = (value: boolean): string => (value ? 'yes' : 'no')

export const draftOf = (record: Domain): Draft => ({
  domain: record.domain,
  backend_host: record.backend_host ?? '',
  backend_port: record.backend_port === null ? '' : String(record.backend_port),
  service_type: record.service_type,
  environment: record.environment,
  auth_required: yesNo(record.auth_required),
  backend_scheme: record.backend_scheme ?? '',
  health_check_path: record.health_check_path ?? '',
  default_path: record.default_path ?? '',
  ssl_enabled: yesNo(record.ssl_enabled),
  ddns_enabled: yesNo(record.ddns_enabled),
  static_ip: record.static_ip ?? '',
  dns_ttl: record.dns_ttl === null ? '' : String(record.dns_ttl),
  middlewares: record.middleware_config.extra_middlewares.join(' '),
  tags: record.tags.join(' '),
  note: record.note ?? '',
})

export const movedFields = (before: Draft, after: Draft): readonly (keyof Draft)[] =>
  FIELDS.map(({ field }) => field).filter((field) => before[field] !== after[field])

/** What an update keeps of the record as it is. */
const KEPT = RECORD_FIELD_NAMES.filter((field) => RECORD_FIELDS[field][1] === 'kept')

/** The whole record, as an update replaces it. What cannot be read as a number is sent as it is, for the API to name. */
export function updateOf(record: Domain, draft: Draft): Readonly<Record<string, unknown>> {
  const kept = Object.fromEntries(KEPT.map((field) => [field, record[field]]))
  return { ...kept, ...typedFields(draft) }
}

function typedFields(draft: Draft): Readonly<Record<TypedField, unknown>> {
  return {
    domain: draft.domain.trim(),
    service_type: draft.service_type,
    environment: draft.environment,
    backend_host: textOr(draft.backend_host),
    backend_port: numberOr(draft.backend_port),
    backend_scheme: textOr(draft.backend_scheme),
    auth_required: draft.auth_required === 'yes',
    ssl_enabled: draft.ssl_enabled === 'yes',
    ddns_enabled: draft.ddns_enabled === 'yes',
    health_check_path: textOr(draft.health_check_path),
    default_path: textOr(draft.default_path),
    static_ip: textOr(draft.static_ip),
    dns_ttl: numberOr(draft.dns_ttl),
    middleware_config: { extra_middlewares: wordsOf(draft.middlewares) },
    tags: wordsOf(draft.tags),
    note: textOr(draft.note),
  }
}

/** What the API calls it. */
export const apiField = (field: keyof Draft): string =>
  field === 'middlewares' ? 'middleware_config' : field

/** The moved fields alone, as a plan of an edit that is not saved takes them. */
export function setOf(record: Domain, draft: Draft): Readonly<Record<string, unknown>> {
  const whole = updateOf(record, draft)
  const fields = movedFields(draftOf(record), draft).map(apiField)
  return Object.fromEntries(fields.map((field) => [field, whole[field]]))
}

const textOr = (text: string): string | null => (text.trim() === '' ? null : text.trim())

function numberOr(text: string): number | string | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed
}

export const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)

/** The tags of a draft with some more and some less. */
export function retagged(draft: Draft, add: readonly string[], remove: readonly string[]): Draft {
  const kept = wordsOf(draft.tags).filter((tag) => !remove.includes(tag))
  return { ...draft, tags: [...new Set([...kept, ...add])].join(' ') }
}

/** One change among those of many domains, as a plan takes it: only what moves in it. */
export interface PlannedEdit {
  readonly id: number
  readonly revision: number
  readonly set: Readonly<Record<string, unknown>>
}

/** Those that are so already are left out: a plan of them would deploy what else waits in them. */
export const editsOf = (records: readonly Domain[], edit: (draft: Draft) => Draft): readonly PlannedEdit[] =>
  records.flatMap((record) => {
    const { id, revision } = record
    const set = setOf(record, edit(draftOf(record)))
    return Object.keys(set).length === 0 ? [] : [{ id, revision, set }]
  })
