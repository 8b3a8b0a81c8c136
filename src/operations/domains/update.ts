/** Saves a change of a record. Nothing is deployed: a live record is pending until the next deploy names it. */
import { type FieldError, fieldError, invalid } from '../../kernel/failure.ts'
import { digestOf } from '../../kernel/digest.ts'
import { checkEdited } from '../../model/domain-rules.ts'
import {
  type DomainFields,
  type DomainRecord,
  FIELD_NAMES,
  fieldsOf,
  INWARD_FIELDS,
  isLive,
} from '../../model/domain.ts'
import type { SuccessAnswer } from '../answers.ts'
import { commit, type Work } from '../commit.ts'
import type { Caller, Deps } from '../deps.ts'
import { type DomainInput, isInput } from './create.ts'
import { deployedElsewhere } from './deployed-elsewhere.ts'
import { findUnchanged } from './find.ts'
import { presentDomain, READ_ONLY_FIELDS } from './present.ts'
import { type Rehearsal, rehearsedSave, type RehearsedSave } from './rehearse-save.ts'
import { statusErrors } from './status-field.ts'

export async function updateDomain(
  deps: Deps,
  domain_id: number,
  change: DomainInput,
  caller: Caller,
): Promise<SuccessAnswer | RehearsedSave> {
  const work: Work<Updated> = async (tx, at) => {
    const before = await findUnchanged(tx, domain_id, caller)
    const { fields, warnings } = changed(deps, before, change)
    const moved = FIELD_NAMES.filter((name) => digestOf(fields[name]) !== digestOf(before[name]))
    const record = moved.length === 0 ? before : await tx.reviseDomain(domain_id, { fields }, at)
    const audit = moved.length === 0 ? [] : [updatedAudit(before, record, moved)]
    const held = moved.includes('domain') ? await deployedElsewhere(tx, record) : []
    const result = { before, record, moved }
    return { result, audit, release: null, reason: '', warnings: [...warnings, ...held] }
  }
  const committed = await commit(deps, caller, work)
  if (committed.planned) {
    const { before, record: after } = committed.result
    const save: Rehearsal['save'] = async (tx, at) => (await work(tx, at)).result.record
    return rehearsedSave(deps, caller, { before, after, plan: committed.plan, save })
  }
  const { result, warnings } = committed
  const { record, moved } = result
  const waits = moved.some((name) => !INWARD_FIELDS.includes(name)) && isLive(record)
  const pending = waits ? ' The change is pending until it is deployed.' : ''
  const message = moved.length > 0 ? `Saved ${record.domain}.${pending}` : `${record.domain} is already so.`
  return { success: true, domain_id, message, revision: record.revision, warnings }
}

interface Updated {
  readonly before: DomainRecord
  readonly record: DomainRecord
  readonly moved: readonly (keyof DomainFields)[]
}

function changed(
  deps: Deps,
  record: DomainRecord,
  change: DomainInput,
): { fields: DomainFields; warnings: readonly string[] } {
  const { errors, checked } = judged(deps, record, change)
  if (!checked.ok || errors.length > 0) throw invalid(errors)
  return checked
}

function judged(deps: Deps, record: DomainRecord, change: DomainInput) {
  const checked = checkEdited(fieldsOf(record), onlyFields(change), deps.offer)
  const errors = [
    ...statusErrors(record.status, change['status']),
    ...readOnlyErrors(deps, record, change),
    ...(checked.ok ? [] : checked.errors),
  ]
  return { checked, errors }
}

/** What is wrong with a change of a record. Takes anything. */
export async function changeFaults(
  deps: Deps,
  domain_id: number,
  change: unknown,
): Promise<readonly FieldError[]> {
  if (!isInput(change)) return []
  const record = await deps.store.domain(domain_id)
  return record === null ? [] : judged(deps, record, change).errors
}

const onlyFields = (change: DomainInput): DomainInput =>
  Object.fromEntries(FIELD_NAMES.filter((name) => name in change).map((name) => [name, change[name]]))

/** GET, edit, PUT works: a read-only field is welcome as long as it says what is true. */
function readOnlyErrors(deps: Deps, record: DomainRecord, change: DomainInput): FieldError[] {
  const present = presentDomain(record, deps)
  return READ_ONLY_FIELDS.filter((name) => change[name] !== undefined && change[name] !== present[name]).map(
    (name) => fieldError(['body', name], `is read-only; leave it out or send its present value`, 'read_only'),
  )
}

const updatedAudit = (before: DomainRecord, after: DomainRecord, moved: readonly (keyof DomainFields)[]) => ({
  action: 'update',
  domain_id: after.id,
  domain: after.domain,
  revision_before: before.revision,
  revision_after: after.revision,
  detail: Object.fromEntries(moved.map((name) => [name, { before: before[name], after: after[name] }])),
})
