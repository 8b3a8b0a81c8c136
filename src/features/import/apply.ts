/**
 * Takes a whole estate at once: creates what is new, changes what differs, moves each record to the status it asks for,
 * deletes what it says is to go, and deploys. All of it happens or none of it; a record that the estate does not name is left
 * alone.
 */
import type { CoreParts } from '../../core/parts.ts'
import { mapLimit } from '../../kernel/async/map-limit.ts'
import { othersTurn } from '../../kernel/async/others-turn.ts'
import { type FieldError, fieldError, invalid } from '../../kernel/failure.ts'
import { type Became, wholeBecameOf } from '../../model/domain/became.ts'
import { type FieldChanges, fieldChanges, isSameIn } from '../../model/domain/field-changes.ts'
import { checkNew } from '../../model/domain/rules.ts'
import { type DomainFields, type DomainRecord, fieldsOf, isLive } from '../../model/domain/record.ts'
import { parseDomainName } from '../../model/domain/hostname.ts'
import { type IntentRow, rowOf } from '../../model/intent.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../../core/answers.ts'
import { withCertificate } from '../domains/backend/fetch-certificate.ts'
import { outcomeAudited } from '../../core/audit/failed.ts'
import type { AuditFacts } from '../../core/audit/facts.ts'
import { commit } from '../../core/commit/commit.ts'
import { type Change, opening, type Work } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deps } from './deps.ts'
import { deployedElsewhere } from '../domains/deployed-elsewhere.ts'
import { changeStatus, retiredRow } from '../domains/change-status.ts'
import { endedKeysWords, forgetKeys, type Removal, removeRecord, withoutEndings } from '../domains/remove.ts'
import type { StatusVerb } from '../../model/domain/record-outcome.ts'
import type { WantedStatus } from './entry.ts'
import type { ReplacedRouter } from '../../model/replaced-router.ts'

export interface EstateEntry {
  /** Fields as a caller of create would give them. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Left out: a record that is there keeps its status, a new one is inactive. */
  readonly status?: WantedStatus
}

export interface Estate {
  readonly entries: readonly EstateEntry[]
  /** Names of records that are deleted in the same release. */
  readonly deletes?: readonly string[] | undefined
  /** Routers of the proxy that the records are made of. */
  readonly replaces?: readonly ReplacedRouter[] | undefined
}

export interface EstateResult {
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly unchanged: readonly string[]
  readonly deleted: readonly string[]
  /** Of each that is updated, what is other than it was saved, `status` among it. */
  readonly changed: readonly ChangedEntry[]
}

export interface ChangedEntry {
  readonly domain: string
  readonly fields: FieldChanges
}

export type EstateAnswer = EstateResult & DeploymentResult
export type EstatePlan = EstateResult & PlannedAnswer

export async function applyEstate(
  deps: Deps,
  estate: Estate,
  caller: Caller,
): Promise<EstateAnswer | EstatePlan> {
  const entries = await withCertificates(deps, estate.entries, caller)
  await othersTurn(entries.length)
  const committed = await commit(deps, caller, workOf(deps, { ...estate, entries }))
  const { domain_ids, removals, ...result } = committed.result
  if (committed.planned) return { ...result, ...planned(committed.plan) }
  const { head, refused, renamed } = committed
  forgetKeys(deps, removals)
  const warnings = withoutEndings(deps, { warnings: committed.warnings, removals })
  const message = messageOf(entries.length, result) + endedKeysWords(removals)
  const change = { message, domain_ids, head, warnings, refused, renamed, progress: caller.progress }
  const deploy = () => deps.deploy({ ...change, direction: 'open' })
  return { ...result, ...(await outcomeAudited(deps, { caller, action: 'import' }, deploy)) }
}

const workOf = (deps: Deps, { entries, deletes = [], replaces }: Estate): Work<Taken> =>
  opening('each', async (tx, at) => ({
    ...(await takeAll(deps, tx, { entries, deletes }, at)),
    replaces,
  }))

function messageOf(count: number, { created, updated, unchanged, deleted }: EstateResult): string {
  const words = deleted.length === 0 ? '' : `, ${deleted.length} deleted`
  return `Applied ${count} ${count === 1 ? 'domain' : 'domains'}: ${created.length} created, ${updated.length} updated, ${unchanged.length} unchanged${words}.`
}

/** One after another: few records name a certificate by its fingerprint, and probes are limited. */
async function withCertificates(
  { store, backend }: Deps,
  entries: readonly EstateEntry[],
  caller: Caller,
): Promise<readonly EstateEntry[]> {
  const fetched: EstateEntry[] = []
  for (const [index, entry] of entries.entries()) {
    const { fields: input } = entry
    const { domain, backend_tls } = input
    const name = backend_tls && typeof domain === 'string' ? parseDomainName(domain) : null
    const present = name?.ok === true ? await store.domainByName(name.value) : null
    const loc = ['body', 'domains', index, 'backend_tls']
    fetched.push({ ...entry, fields: await withCertificate(backend, { input, present, loc }, caller) })
  }
  return fetched
}

interface Taken extends EstateResult {
  readonly domain_ids: readonly number[]
  readonly removals: readonly Removal[]
}

/** What goes makes room first: what only one record may hold is free for what comes. */
async function takeAll(
  deps: Deps,
  tx: StoreWriter,
  { entries, deletes }: { readonly entries: readonly EstateEntry[]; readonly deletes: readonly string[] },
  at: number,
): Promise<Change<Taken>> {
  const leaving = await leavingAmong(tx, deletes, entries)
  const removed = await mapLimit(leaving, IN_TURN, (record) => removeRecord(deps, tx, record, at))
  const checked = await checkAll(deps, tx, entries)
  const taken = await mapLimit(checked, IN_TURN, (entry) => takeEntry(tx, entry, at))
  return {
    result: resultOf(leaving, removed, taken),
    audit: [...removed, ...taken].flatMap(({ audit }) => audit),
    release: [...removed.flatMap(({ release }) => release ?? []), ...taken.map(({ row }) => row)],
    becomes: [...removed, ...taken].flatMap(({ becomes = [] }) => becomes),
    reason: 'apply estate',
    warnings: [...removed, ...taken].flatMap(({ warnings }) => warnings),
  }
}

const IN_TURN = { at_once: 1 }

function resultOf(
  leaving: readonly DomainRecord[],
  removed: readonly Change<Removal>[],
  taken: readonly TakenEntry[],
): Taken {
  const namesOf = (kind: TakenEntry['kind']) =>
    taken.flatMap((one) => (one.kind === kind ? [one.domain] : []))
  return {
    created: namesOf('created'),
    updated: namesOf('updated'),
    unchanged: namesOf('unchanged'),
    deleted: leaving.map(({ domain }) => domain),
    changed: taken.flatMap(({ changed }) => changed),
    domain_ids: [...leaving.map(({ id }) => id), ...taken.map(({ row }) => row.domain_id)],
    removals: removed.map(({ result }) => result),
  }
}

/** Throws for names that no record has, and for those that an entry keeps. */
async function leavingAmong(
  tx: StoreWriter,
  deletes: readonly string[],
  entries: readonly EstateEntry[],
): Promise<readonly DomainRecord[]> {
  if (deletes.length === 0) return []
  const kept = new Set(entries.map(({ fields }) => nameIn(fields['domain'])))
  const leaving = new Map<number, DomainRecord>()
  const errors: FieldError[] = []
  for (const [index, text] of deletes.entries()) {
    const name = nameIn(text)
    const record = name === null ? null : await tx.domainByName(name)
    const loc = ['body', 'deletes', index]
    if (name !== null && kept.has(name)) errors.push(fieldError(loc, 'is named by an entry, too', 'conflict'))
    else if (record === null) errors.push(fieldError(loc, 'is the name of no record', 'not_found'))
    else leaving.set(record.id, record)
  }
  if (errors.length > 0) throw invalid(errors)
  return [...leaving.values()]
}

function nameIn(text: unknown): string | null {
  const name = parseDomainName(typeof text === 'string' ? text : '')
  return name.ok ? name.value : null
}

interface CheckedEntry {
  readonly present: DomainRecord | null
  readonly fields: DomainFields
  readonly warnings: readonly string[]
  readonly status: WantedStatus | undefined
}

/** Every entry's faults are found before anything is written. */
async function checkAll(
  deps: CoreParts,
  tx: StoreWriter,
  entries: readonly EstateEntry[],
): Promise<CheckedEntry[]> {
  const errors: FieldError[] = []
  const checked: CheckedEntry[] = []
  const seen = new Set<string>()
  for (const [index, { fields, status }] of entries.entries()) {
    const name = parseDomainName(typeof fields['domain'] === 'string' ? fields['domain'] : '')
    const present = name.ok ? await tx.domainByName(name.value) : null
    // A document leaves defaults out, so what it does not say is the default, for a record that is there too.
    const result = checkNew(fields, deps.offer, present?.domain)
    if (name.ok && seen.has(name.value))
      errors.push(fieldError(['body', 'domains', index, 'domain'], 'stands in the estate twice', 'duplicate'))
    if (name.ok) seen.add(name.value)
    if (result.ok) checked.push({ present, fields: result.fields, warnings: result.warnings, status })
    else
      errors.push(...result.errors.map((e) => ({ ...e, loc: ['body', 'domains', index, ...e.loc.slice(1)] })))
  }
  if (errors.length > 0) throw invalid(errors)
  return checked
}

interface TakenEntry extends Pick<EstateResult, 'changed'> {
  readonly kind: 'created' | 'updated' | 'unchanged'
  readonly domain: string
  readonly row: ReleaseRow
  readonly audit: readonly AuditFacts[]
  readonly warnings: readonly string[]
  readonly becomes: readonly Became[]
}

async function takeEntry(tx: StoreWriter, entry: CheckedEntry, at: number): Promise<TakenEntry> {
  const { record, kind, row } = await takeOne(tx, entry, at)
  const { id, domain } = record
  const elsewhere = entry.present === null ? await deployedElsewhere(tx, record) : []
  return {
    kind,
    domain,
    row: { domain_id: id, row },
    changed: kind === 'updated' ? [{ domain, fields: changesOf(entry.present!, record) }] : [],
    audit: kind === 'unchanged' ? [] : [importAudit(entry.present, record)],
    warnings: [...entry.warnings.map((warning) => `${domain}: ${warning}`), ...elsewhere],
    becomes: kind === 'unchanged' ? [] : wholeBecameOf(entry.present, record),
  }
}

async function takeOne(
  tx: StoreWriter,
  { present, fields, status }: CheckedEntry,
  at: number,
): Promise<{ record: DomainRecord; kind: TakenEntry['kind']; row: IntentRow }> {
  if (present === null) {
    const created = await reach(tx, await tx.insertDomain(fields, at), status, at)
    return { record: created, kind: 'created', row: rowOf(created) }
  }
  const moved = !isSameIn(present, fields)
  const revised = moved ? await tx.reviseDomain(present.id, { fields }, at) : present
  const record = await reach(tx, revised, status, at)
  // What the estate changes along with the status is saved, and no more deployed than an edit of before.
  const row = isLive(record) ? rowOf(record) : await retiredRow(tx, revised, record)
  return { record, kind: record.revision === present.revision ? 'unchanged' : 'updated', row }
}

const VERB: Readonly<Record<WantedStatus, StatusVerb>> = {
  active: 'activate',
  inactive: 'deactivate',
  disabled: 'disable',
}

/** Moves to the wanted status. A live record in `error` counts as active. Throws `record_disabled` for a revival. */
async function reach(
  tx: StoreWriter,
  record: DomainRecord,
  status: WantedStatus | undefined,
  at: number,
): Promise<DomainRecord> {
  if (status === undefined) return record
  const there = status === record.status || (status === 'active' && isLive(record))
  return there ? record : changeStatus(tx, record, VERB[status], at)
}

const changesOf = (before: DomainRecord, after: DomainRecord): FieldChanges => ({
  ...(before.status !== after.status && { status: { before: before.status, after: after.status } }),
  ...fieldChanges(before, after),
})

const importAudit = (before: DomainRecord | null, after: DomainRecord): AuditFacts => ({
  action: 'import',
  domain_id: after.id,
  domain: after.domain,
  revision_before: before?.revision ?? null,
  revision_after: after.revision,
  detail: before === null ? {} : { before: fieldsOf(before), after: fieldsOf(after) },
})
