/**
 * Saves changes of many records and new records within one transaction: all of them or none. Every fault is found before anything
 * is written, each with its place in the call.
 */
import type { AuditFacts } from '../../../core/audit/facts.ts'
import type { CoreParts } from '../../../core/parts.ts'
import { Failure, type FieldError, fieldError, invalid } from '../../../kernel/failure.ts'
import { movedFields } from '../../../model/domain/field-changes.ts'
import { type DomainFields, type DomainRecord, fieldsOf } from '../../../model/domain/record.ts'
import { type Checked, checkEdited, checkNew } from '../../../model/domain/rules.ts'
import type { StoreReader, StoreWriter } from '../../../ports/store.ts'
import { changeStatus } from '../change-status.ts'
import { createdAudit } from '../create.ts'
import { deployedElsewhere } from '../deployed-elsewhere.ts'
import { updatedAudit } from '../update.ts'
import { firstNames } from '../../../kernel/text/first-names.ts'

type Input = Readonly<Record<string, unknown>>

export interface SeenRecord {
  readonly id: number
  /** As the caller has seen it; left out: any. */
  readonly revision?: number | undefined
}

export interface RecordEdit extends SeenRecord {
  readonly set: Input
  readonly tags_add?: readonly string[] | undefined
  readonly tags_remove?: readonly string[] | undefined
}

export interface Edits {
  readonly edits: readonly RecordEdit[]
  /** Fields of new records, which are activated. */
  readonly create: readonly Input[]
  /** What the call names its edits, for the places of faults; left out: `edits`. */
  readonly list?: string
}

export interface Edited {
  readonly record: DomainRecord
  readonly before: DomainRecord | null
}

export interface EditedMany {
  /** In the order of the call: edits, then new ones. */
  readonly records: readonly Edited[]
  readonly audit: readonly AuditFacts[]
  readonly warnings: readonly string[]
}

/** Throws `validation_failed`, `not_found`, `revision_mismatch`, `name_taken`, `entrypoint_taken`. */
export async function editMany(
  deps: Pick<CoreParts, 'offer'>,
  tx: StoreWriter,
  { edits, create, list = 'edits' }: Edits,
  at: number,
): Promise<EditedMany> {
  const present = await presentOf(tx, edits)
  const checked = checkAll(deps, { edits, create, list }, present)
  const saved: EditedOne[] = []
  for (const [index, fields] of checked.edits.entries())
    saved.push(await revised(tx, present[index]!, fields, at))
  for (const fields of checked.create) saved.push(await created(tx, fields, at))
  return {
    records: saved.map(({ edited }) => edited),
    audit: saved.flatMap(({ audit }) => audit),
    warnings: saved.flatMap(({ warnings }) => warnings),
  }
}

interface EditedOne extends Pick<EditedMany, 'audit' | 'warnings'> {
  readonly edited: Edited
}

async function revised(
  tx: StoreWriter,
  before: DomainRecord,
  { fields, warnings }: CheckedFields,
  at: number,
): Promise<EditedOne> {
  const moved = movedFields(before, fields)
  const record = moved.length === 0 ? before : await tx.reviseDomain(before.id, { fields }, at)
  const elsewhere = moved.includes('domain') ? await deployedElsewhere(tx, record) : []
  return {
    edited: { before, record },
    audit: moved.length > 0 ? [updatedAudit(before, record, moved)] : [],
    warnings: [...elsewhere, ...ofDomain(record, warnings)],
  }
}

async function created(tx: StoreWriter, { fields, warnings }: CheckedFields, at: number): Promise<EditedOne> {
  const record = await tx.insertDomain(fields, at)
  const elsewhere = await deployedElsewhere(tx, record)
  return {
    edited: { before: null, record: await changeStatus(tx, record, 'activate', at) },
    audit: [createdAudit(record)],
    warnings: [...elsewhere, ...ofDomain(record, warnings)],
  }
}

const ofDomain = ({ domain }: DomainRecord, warnings: readonly string[]): readonly string[] =>
  warnings.map((warning) => `${domain}: ${warning}`)

/** Every one that moved on is named, so that nobody has to find them one by one. */
export async function presentOf(
  reader: StoreReader,
  seen: readonly SeenRecord[],
): Promise<readonly DomainRecord[]> {
  const records: DomainRecord[] = []
  const missing: number[] = []
  for (const { id } of seen) {
    const record = await reader.domain(id)
    if (record === null) missing.push(id)
    else records.push(record)
  }
  if (missing.length > 0)
    throw new Failure('not_found', `There is no domain with id ${missing.slice(0, MAX_NAMED).join(', ')}.`)
  assertUnchanged(records, seen)
  return records
}

/** Throws `revision_mismatch`. @param seen in the order of the records */
function assertUnchanged(records: readonly DomainRecord[], seen: readonly SeenRecord[]): void {
  const moved_on = records
    .filter(({ revision }, index) => revision !== (seen[index]!.revision ?? revision))
    .map(({ id, domain, revision }) => ({ domain_id: id, domain, revision }))
  if (moved_on.length === 0) return
  const names = moved_on.map(({ domain, revision }) => `${domain} (now ${revision})`)
  throw new Failure(
    'revision_mismatch',
    `Changed since they were read: ${firstNames(names, MAX_NAMED)}. Read them again, then repeat the change.`,
    { facts: { changed: moved_on } },
  )
}

const MAX_NAMED = 10

interface CheckedFields {
  readonly fields: DomainFields
  readonly warnings: readonly string[]
}

function checkAll(
  { offer }: Pick<CoreParts, 'offer'>,
  { edits, create, list = 'edits' }: Edits,
  present: readonly DomainRecord[],
): { readonly edits: readonly CheckedFields[]; readonly create: readonly CheckedFields[] } {
  const of_edits = edits.map((edit, index) => {
    const before = fieldsOf(present[index]!)
    return checkEdited(before, changeOf(edit, before.tags), offer)
  })
  const of_new = create.map((fields) =>
    checkNew({ service_type: 'http', environment: 'production', ...fields }, offer),
  )
  const errors = [...duplicatesAmong(edits, list), ...faultsIn(list, of_edits), ...faultsIn('create', of_new)]
  if (errors.length > 0) throw invalid(errors)
  return { edits: of_edits.filter((one) => one.ok), create: of_new.filter((one) => one.ok) }
}

/** Each with its place in the call. */
const faultsIn = (list: string, checked: readonly Checked[]): readonly FieldError[] =>
  checked.flatMap((one, index) =>
    one.ok
      ? []
      : one.errors.map((fault) => ({ ...fault, loc: ['body', list, index, ...fault.loc.slice(1)] })),
  )

export function duplicatesAmong(seen: readonly SeenRecord[], list: string): readonly FieldError[] {
  const first = new Map(seen.toReversed().map(({ id }, back) => [id, seen.length - 1 - back]))
  return seen.flatMap(({ id }, index) =>
    first.get(id) === index
      ? []
      : [fieldError(['body', list, index, 'id'], 'stands here twice', 'duplicate')],
  )
}

function changeOf({ set, tags_add = [], tags_remove = [] }: RecordEdit, tags: readonly string[]): Input {
  if (tags_add.length + tags_remove.length === 0) return set
  const base = Array.isArray(set['tags']) ? (set['tags'] as readonly string[]) : tags
  const kept = base.filter((tag) => !tags_remove.includes(tag))
  return { ...set, tags: [...new Set([...kept, ...tags_add])] }
}
