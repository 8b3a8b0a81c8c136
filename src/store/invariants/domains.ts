/** Rules of the records in both editions: their names, their fields, what they may share and what is live. */
import { type DomainFields, FIELD_NAMES, FIELDS, isPlainTcp } from '../../model/domain/record.ts'
import { checkChanged, type Offer } from '../../model/domain/rules.ts'
import { parseDomainName } from '../../model/domain/hostname.ts'
import { canonicalJson } from '../../kernel/digest.ts'
import { DAMAGE_REMEDY, isDamaged } from '../intent/record-digest.ts'
import type { Content } from './content.ts'
import { FROM_OUTSIDE, type Rule } from './rule.ts'

export const DOMAIN_RULES: readonly Rule[] = [
  {
    name: 'names_unique_and_canonical',
    promise: 'Every domain name has its one spelling, and no two records of an edition that serve share one.',
    remedy: 'Rename or delete the record and deploy; what was not done by a call asks for a backup.',
    broken: nameFaults,
  },
  {
    name: 'records_valid',
    promise: 'Every record, saved or released, keeps the rules that a call would have to keep.',
    remedy: 'Correct the record with PUT /api/domains/{id} and deploy it.',
    broken: recordFaults,
  },
  {
    name: 'records_match_their_digests',
    promise: 'Every saved record is, column for column, what a call has written.',
    remedy: DAMAGE_REMEDY,
    *broken(content) {
      for (const { row } of content.working())
        if (isDamaged(row)) yield `${row.domain} (${row.id}) does not fit its digest: it is damaged`
    },
  },
  {
    name: 'entrypoints_unique',
    promise: 'An entrypoint serves at most one TCP route without TLS.',
    remedy: 'Move one of them to another entrypoint, or give it TLS, and deploy it.',
    broken: entrypointFaults,
  },
  {
    name: 'ids_never_reused',
    promise: 'No record has an id that was given before, nor one that is still to be given.',
    remedy: FROM_OUTSIDE,
    *broken(content) {
      const given = content.count(`SELECT seq FROM sqlite_sequence WHERE name = 'domains'`)
      for (const table of ID_HOLDERS) {
        const id = content.count(`SELECT MAX(${table[1]}) FROM ${table[0]}`)
        if (id > given) yield `${table[0]} knows record ${id}, and ${given} were given`
      }
    },
  },
  {
    name: 'active_records_released',
    promise: 'Every active record is live in the released edition, and no record that is not meant to be.',
    remedy: 'Deploy what is active and not released; deactivate or delete again what must not be reachable.',
    broken: liveFaults,
  },
]

const ID_HOLDERS = [
  ['domains', 'id'],
  ['released', 'domain_id'],
  ['release_rows', 'domain_id'],
  ['audit', 'domain_id'],
] as const

function* nameFaults(content: Content): Iterable<string> {
  const { working, released } = { working: content.working(), released: content.released() }
  for (const { row } of working) yield* spelling('record', row.id, row.domain)
  yield* shared(
    'records',
    working.map(({ row }) => ({ id: row.id, thing: row.domain })),
  )
  for (const { row, value } of released) {
    yield* spelling('released record', row.domain_id, row.domain)
    if (value !== null && value.fields.domain !== row.domain)
      yield `released record ${row.domain_id} is called ${row.domain} and ${value.fields.domain}`
  }
  yield* shared(
    'live released records',
    released.flatMap(({ row }) => (row.live === 1 ? [{ id: row.domain_id, thing: row.domain }] : [])),
  )
}

function* spelling(what: string, id: number, domain: string): Iterable<string> {
  const parsed = parseDomainName(domain)
  if (!parsed.ok || parsed.value !== domain) yield `${what} ${id} is called ${JSON.stringify(domain)}`
}

interface Claim {
  readonly id: number
  readonly thing: string
}

/** Upper and lower case are one name to everybody outside. */
function* shared(what: string, claims: readonly Claim[]): Iterable<string> {
  for (const [thing, holders] of Map.groupBy(claims, ({ thing }) => thing.toLowerCase()))
    if (holders.length > 1) yield `${what} ${holders.map(({ id }) => id).join(' and ')} share ${thing}`
}

function* recordFaults(content: Content): Iterable<string> {
  for (const { row, value, fault } of content.working()) {
    const faults = value === null ? [fault ?? 'unreadable'] : fieldFaults(value)
    for (const text of faults) yield `${row.domain} (${row.id}): ${text}`
    if (value?.status === 'active' && value.activated_at === null)
      yield `${row.domain} (${row.id}): is active and was never activated`
  }
  for (const { row, value, fault } of content.released()) {
    const faults = value === null ? [fault ?? 'unreadable'] : row.live === 1 ? fieldFaults(value.fields) : []
    for (const text of faults) yield `${row.domain} (${row.domain_id}, released): ${text}`
  }
}

/** Against the model alone: what the installation offers is a setting, and settings move without the record's doing. */
function fieldFaults(record: DomainFields): readonly string[] {
  // The name is judged by the rule of names.
  const name = parseDomainName(record.domain)
  const fields = { ...record, domain: name.ok ? name.value : 'placeholder.invalid' }
  const checked = checkChanged(fields, {}, everythingOffered(fields))
  if (!checked.ok) return checked.errors.map(({ loc, msg }) => `${loc.slice(1).join('.')} ${msg}`)
  return FIELD_NAMES.filter((field) => {
    const parsed = FIELDS[field].parse(fields[field])
    return !parsed.ok || canonicalJson(parsed.value) !== canonicalJson(fields[field])
  }).map((field) => `${field} is not in its one spelling`)
}

const everythingOffered = ({ tcp_entrypoint, middleware_config, backend_tls }: DomainFields): Offer => ({
  tcp_entrypoints: tcp_entrypoint === null ? [] : [tcp_entrypoint],
  tls_entrypoint: '',
  middlewares: new Map(
    middlewaresIn(middleware_config).map((name) => [name, { unfit_for: {}, changes_path: false }]),
  ),
  open_paths: new Map(),
  backend_authorities: new Set(backend_tls?.ca_name === undefined ? [] : [backend_tls.ca_name]),
})

/** What is no such object is told by the field's own grammar. */
function middlewaresIn(config: unknown): readonly string[] {
  const names = (config as { extra_middlewares?: unknown } | null)?.extra_middlewares
  return Array.isArray(names) ? (names as string[]) : []
}

function* entrypointFaults(content: Content): Iterable<string> {
  const plain = ({ domain_id, fields }: { domain_id: number; fields: DomainFields }): Claim[] =>
    isPlainTcp(fields) && fields.tcp_entrypoint !== null
      ? [{ id: domain_id, thing: fields.tcp_entrypoint }]
      : []
  yield* shared(
    'records',
    content.working().flatMap(({ value }) => {
      if (value === null || value.status === 'disabled') return []
      return plain({ domain_id: value.id, fields: value })
    }),
  )
  yield* shared(
    'live released records',
    content.released().flatMap(({ value }) => (value?.live === true ? plain(value) : [])),
  )
}

/**
 * A release that was put back because the proxy would not load it leaves the records as their owner wants them: such a
 * record is in error, or waits to be taken off line again.
 */
function* liveFaults(content: Content): Iterable<string> {
  const live = new Set(content.released().flatMap(({ row }) => (row.live === 1 ? [row.domain_id] : [])))
  const meant = new Set<number>()
  for (const { row } of content.working()) {
    if (row.status === 'active' || row.status === 'error') meant.add(row.id)
    if (row.status === 'active' && !live.has(row.id))
      yield `${row.domain} (${row.id}) is active and not released`
  }
  const gone_back = new Set(content.all<{ number: number }>(GONE_BACK).map(({ number }) => number))
  for (const { row } of content.released())
    if (row.live === 1 && !meant.has(row.domain_id) && !gone_back.has(row.release))
      yield `${row.domain} (${row.domain_id}) is released and not active`
}

const GONE_BACK = `SELECT DISTINCT released.release AS number FROM released
  JOIN releases ON releases.number = released.release
  JOIN audit ON audit.action = 'go_back' AND audit.request_id = releases.request_id`
