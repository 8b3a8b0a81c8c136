/**
 * Saves changes of many records and new records within one transaction: all of them or none. Every fault is found before anything
 * is written, each with its place in the call.
 */
import type { AuditFacts } from '../../../core/audit/facts.ts'
import type { CoreParts } from '../../../core/parts.ts'
import { Failure, type FieldError, fieldError, invalid } from '../../../kernel/failure.ts'
import { movedFields } from '../../../model/domain/field-changes.ts'
import { type DomainFields, type DomainRecord, fieldsOf } from '../../../model/domain/record.ts'
import { checkEdited, checkNew } from '../../../model/domain/rules.ts'
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
  const records: Edited[] = []
  const audit: AuditFacts[] = []
  const warnings: string[] = []
  for (const [index, { fields, warnings: of_fields }] of checked.edits.entries()) {
    const before = present[index]!
    const moved = movedFields(before, fields)
    const record = moved.length === 0 ? before : await tx.reviseDomain(before.id, { fields }, at)
    if (moved.length > 0) audit.push(updatedAudit(before, record, moved))
    if (moved.includes('domain')) warnings.push(...(await deployedElsewhere(tx, record)))
    warnings.push(...of_fields.map((warning) => `${record.domain}: ${warning}`))
    records.push({ before, record })
  }
  for (const { fields, warnings: of_fields } of checked.create) {
    const created = await tx.insertDomain(fields, at)
    audit.push(createdAudit(created))
    warnings.push(...(await deployedElsewhere(tx, created)))
    warnings.push(...of_fields.map((warning) => `${created.domain}: ${warning}`))
    records.push({ before: null, record: await changeStatus(tx, created, 'activate', at) })
  }
  return { records, audit, warnings }
}

/** Every one that moved on is named, so that nobody has to find them one by one. */
export async function presentOf(
  reader: StoreReader,
  seen: readonly SeenRecord[],
): Promise<readonly DomainRecord[]> {
  const records: DomainRecord[] = []
  const missing: number[] = []
  const moved_on: { domain_id: number; domain: string; revision: number }[] = []
  for (const { id, revision } of seen) {
    const record = await reader.domain(id)
    if (record === null) {
      missing.push(id)
      continue
    }
    if (revision !== undefined && revision !== record.revision)
      moved_on.push({ domain_id: id, domain: record.domain, revision: record.revision })
    records.push(record)
  }
  if (missing.length > 0)
    throw new Failure('not_found', `There is no domain with id ${missing.slice(0, MAX_NAMED).join(', ')}.`)
  if (moved_on.length === 0) return records
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
  const errors: FieldError[] = []
  errors.push(...duplicatesAmong(edits, list))
  const place = (of: string, index: number, found: readonly FieldError[]) =>
    errors.push(...found.map((one) => ({ ...one, loc: ['body', of, index, ...one.loc.slice(1)] })))
  const of_edits = edits.flatMap((edit, index) => {
    const before = fieldsOf(present[index]!)
    const checked = checkEdited(before, changeOf(edit, before.tags), offer)
    if (!checked.ok) place(list, index, checked.errors)
    return checked.ok ? [checked] : []
  })
  const of_new = create.flatMap((fields, index) => {
    const checked = checkNew({ service_type: 'http', environment: 'production', ...fields }, offer)
    if (!checked.ok) place('create', index, checked.errors)
    return checked.ok ? [checked] : []
  })
  if (errors.length > 0) throw invalid(errors)
  return { edits: of_edits, create: of_new }
}

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
