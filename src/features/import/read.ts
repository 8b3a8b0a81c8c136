/**
 * From an estate document's data to what is to be created, or every fault with its entry and field.
 *
 * Keys, grammars and the status are judged here, without knowing the installation; rules across fields and names that
 * refer to it (entrypoints, catalogue) are judged when the record is created.
 */
import { type FieldError, fieldError } from '../../kernel/failure.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { type DomainFields, FIELD_NAMES, FIELDS } from '../../model/domain/record.ts'
import { type CreateInput, ESTATE_VERSION, WANTED_STATUSES, type WantedStatus } from './entry.ts'
import { isRecord } from '../../kernel/text/lenient.ts'

export interface EstateEntry {
  readonly input: CreateInput
  readonly status: WantedStatus
}

/** A fault in an entry: `loc` is ['domains', index, field], and `domain` the entry's name where it has one. */
export interface EstateFault extends FieldError {
  readonly domain: string | null
}

export type EstateRead =
  | { readonly ok: true; readonly entries: readonly EstateEntry[] }
  | { readonly ok: false; readonly faults: readonly EstateFault[] }

const ROOT_KEYS = ['plumbline', 'domains']
const ENTRY_KEYS: readonly string[] = [...FIELD_NAMES, 'status']
const REQUIRED = ['domain', 'service_type', 'environment'] as const
const MAX_ENTRIES = 20_000

/** `domains[3] (app.example.com), backend_port: must be …`, for terminals and logs. */
export function faultText({ loc, domain, msg }: EstateFault): string {
  const [head, index, ...field] = loc
  const entry = index === undefined ? String(head ?? 'the document') : `${String(head)}[${index}]`
  return [entry, domain === null ? '' : ` (${domain})`, ...field.map((part) => `, ${part}`), `: ${msg}`].join(
    '',
  )
}

/** A status that is left out is `inactive`, as for any new record. */
export function readEstate(data: unknown): EstateRead {
  const faults = rootFaults(data)
  if (faults.length > 0) return { ok: false, faults }
  const entries = (data as { domains: readonly unknown[] }).domains.map((value, index) =>
    readEntry(value, index),
  )
  const twice = duplicates(entries)
  const all = [...entries.flatMap((entry) => entry.faults), ...twice]
  return all.length > 0 ? { ok: false, faults: all } : { ok: true, entries: entries.map(created) }
}

function rootFaults(data: unknown): EstateFault[] {
  if (!isRecord(data))
    return [
      rootFault(
        [],
        `must be a mapping with plumbline: ${ESTATE_VERSION} and a list of domains`,
        'object_type',
      ),
    ]
  const { plumbline: version, domains } = data
  return [
    ...unknownKeys(data),
    ...(version === ESTATE_VERSION
      ? []
      : [rootFault(['plumbline'], `must be ${ESTATE_VERSION}, the version read here`, 'version')]),
    ...listFaults(domains),
  ]
}

const unknownKeys = (data: Readonly<Record<string, unknown>>): EstateFault[] =>
  Object.keys(data)
    .filter((key) => !ROOT_KEYS.includes(key))
    .map((key) =>
      rootFault([key.slice(0, 64)], `is an unknown key.${didYouMean(key, ROOT_KEYS)}`, 'extra_forbidden'),
    )

function listFaults(domains: unknown): EstateFault[] {
  if (!Array.isArray(domains))
    return [rootFault(['domains'], 'must be a list of domain entries', 'list_type')]
  return domains.length > MAX_ENTRIES
    ? [rootFault(['domains'], `must have at most ${MAX_ENTRIES} entries`, 'too_long')]
    : []
}

const rootFault = (loc: readonly string[], msg: string, type: string): EstateFault => ({
  ...fieldError(loc, msg, type),
  domain: null,
})

interface Entry {
  readonly index: number
  readonly domain: string | null
  readonly fields: Partial<DomainFields>
  readonly status: WantedStatus
  readonly faults: readonly EstateFault[]
}

function readEntry(value: unknown, index: number): Entry {
  const domain = isRecord(value) ? nameOf(value['domain']) : null
  const faults: EstateFault[] = []
  const fault: NoteFault = (path, msg, type) =>
    void faults.push({ ...fieldError(['domains', index, ...path], msg, type), domain })
  if (!isRecord(value)) {
    fault([], 'must be a mapping of fields', 'object_type')
    return { index, domain, fields: {}, status: 'inactive', faults }
  }
  for (const key of Object.keys(value).filter((name) => !ENTRY_KEYS.includes(name)))
    fault([key.slice(0, 64)], `is an unknown field.${didYouMean(key, ENTRY_KEYS)}`, 'extra_forbidden')
  for (const name of REQUIRED.filter((required) => !Object.hasOwn(value, required)))
    fault([name], 'is required', 'missing')
  const status = readStatus(value['status'] ?? 'inactive', fault)
  return { index, domain, fields: readFields(value, fault), status, faults }
}

type NoteFault = (path: readonly string[], msg: string, type: string) => void

function readStatus(status: unknown, fault: NoteFault): WantedStatus {
  if (isWanted(status)) return status
  const near = didYouMean(typeof status === 'string' ? status : '', WANTED_STATUSES)
  fault(['status'], `must be one of ${WANTED_STATUSES.join(', ')}.${near}`, 'enum')
  return 'inactive'
}

function readFields(value: Readonly<Record<string, unknown>>, fault: NoteFault): Entry['fields'] {
  const fields: Record<string, unknown> = {}
  for (const name of FIELD_NAMES.filter((given) => Object.hasOwn(value, given))) {
    const parsed = FIELDS[name].parse(value[name])
    if (parsed.ok) fields[name] = parsed.value
    else fault([name], parsed.msg, parsed.type)
  }
  return fields
}

/** Names are compared in their canonical form: "App.Example" and "app.example" are one domain. */
function duplicates(entries: readonly Entry[]): EstateFault[] {
  const first = new Map<string, number>()
  return entries.flatMap(({ fields: { domain }, index }) => {
    const before = domain === undefined ? undefined : first.get(domain)
    if (domain === undefined) return []
    if (before === undefined) first.set(domain, index)
    return before === undefined
      ? []
      : [
          {
            ...fieldError(['domains', index, 'domain'], `stands already in domains[${before}]`, 'duplicate'),
            domain,
          },
        ]
  })
}

const created = ({ fields, status }: Entry): EstateEntry => ({ input: fields as CreateInput, status })
const nameOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 255) : null)
const isWanted = (status: unknown): status is WantedStatus => WANTED_STATUSES.includes(status as WantedStatus)
