/** Saves a change of a record. Nothing is deployed: a live record is pending until the next deploy names it. */
import type { CoreParts } from '../../core/parts.ts'
import type { Instant } from '../../kernel/clock.ts'
import { type FieldError, fieldError, invalid } from '../../kernel/failure.ts'
import { checkEdited } from '../../model/domain/rules.ts'
import { movedFields } from '../../model/domain/field-changes.ts'
import {
  type DomainFields,
  type DomainRecord,
  FIELD_NAMES,
  fieldsOf,
  isLive,
} from '../../model/domain/record.ts'
import type { StoreReader, StoreWriter } from '../../ports/store.ts'
import type { SavedAnswer } from '../../core/answers.ts'
import { withCertificate } from './backend/fetch-certificate.ts'
import { commit } from '../../core/commit/commit.ts'
import { type Change, type Work, ONLY_SAVES } from '../../core/commit/change.ts'
import { movedRows } from '../../engine/editions/editions.ts'
import { rowOf } from '../../model/intent.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deps } from './deps.ts'
import { type DomainInput, isInput, isOfTheCaller } from './create.ts'
import { deployedElsewhere } from './deployed-elsewhere.ts'
import { findUnchanged } from '../../core/find-domain.ts'
import { presentDomain, type PresentedDomain, READ_ONLY_FIELDS } from './present.ts'
import { rehearsedChange } from './rehearse-save.ts'
import { statusErrors } from './status-field.ts'
import type { RehearsedSave } from './api/save-schemas.ts'

export async function updateDomain(
  deps: Deps,
  domain_id: number,
  given: DomainInput,
  caller: Caller,
): Promise<SavedAnswer | RehearsedSave> {
  const present = given['backend_tls'] ? await deps.store.domain(domain_id) : null
  const loc = ['body', 'backend_tls']
  const change = await withCertificate(deps.backend, { input: given, present, loc }, caller)
  const work: Work<Updated> = async (tx, at) =>
    updated(deps, tx, { record: await findUnchanged(tx, domain_id, caller), change }, at)
  const committed = await commit(deps, caller, work)
  if (committed.planned) return rehearsedChange(deps, caller, { ...committed, work })
  const { result, warnings } = committed
  const { revision } = result.record
  const message = messageOf(result)
  return { success: true, domain_id, message, revision, warnings, pending_deploy: result.waits }
}

interface Updated {
  readonly before: DomainRecord
  readonly record: DomainRecord
  readonly moved: readonly (keyof DomainFields)[]
  /** A deploy would change something. */
  readonly waits: boolean
}

function messageOf({ record: { domain }, moved, waits }: Updated): string {
  if (moved.length === 0) return `${domain} is already so.`
  return `Saved ${domain}.${waits ? ' The change is pending until it is deployed.' : ''}`
}

async function updated(deps: Deps, tx: StoreWriter, edit: Edit, at: Instant): Promise<Change<Updated>> {
  const { record: before } = edit
  const { fields, warnings } = changed(deps, await presentBeside(deps, tx, edit), edit)
  const moved = movedFields(before, fields)
  const record = moved.length === 0 ? before : await tx.reviseDomain(before.id, { fields }, at)
  const audit = moved.length === 0 ? [] : [updatedAudit(before, record, moved)]
  const held = moved.includes('domain') ? await deployedElsewhere(tx, record) : []
  const row = { domain_id: before.id, row: rowOf(record) }
  const waits = isLive(record) && movedRows([row], await tx.intent('released')).length > 0
  const result = { before, record, moved, waits }
  return { result, audit, ...ONLY_SAVES, saves: [record], moves: moved, warnings: [...warnings, ...held] }
}

function changed(
  deps: CoreParts,
  present: PresentedDomain,
  { record, change }: Edit,
): { fields: DomainFields; warnings: readonly string[] } {
  const { errors, checked } = evaluated(deps, present, { record, change })
  if (!checked.ok || errors.length > 0) throw invalid(errors)
  return checked
}

interface Edit {
  readonly record: DomainRecord
  readonly change: DomainInput
}

function evaluated(deps: CoreParts, present: PresentedDomain, { record, change }: Edit) {
  const checked = checkEdited(fieldsOf(record), onlyFields(change), deps.offer)
  const errors = [
    ...statusErrors(record.status, change['status']),
    ...readOnlyErrors(present, change),
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
  if (record === null) return []
  const present = await presentBeside(deps, deps.store, { record, change })
  return evaluated(deps, present, { record, change }).errors.filter(isOfTheCaller)
}

const onlyFields = (change: DomainInput): DomainInput =>
  Object.fromEntries(FIELD_NAMES.filter((name) => name in change).map((name) => [name, change[name]]))

/** `external_ip` moves by itself with every report: one that was true a moment ago is as good as the present one. */
async function presentBeside(
  deps: Deps,
  store: StoreReader,
  { record, change }: Edit,
): Promise<PresentedDomain> {
  const externalIp = await deps.record_dns.externalIps(store)
  const given = change['external_ip']
  const present = presentDomain(record, deps, externalIp(record))
  if (typeof given !== 'string' || given === present.external_ip) return present
  return (await deps.gateways.haveReported(store, record, given))
    ? { ...present, external_ip: given }
    : present
}

/** GET, edit, PUT works: a read-only field is welcome as long as it says what is true. */
function readOnlyErrors(present: PresentedDomain, change: DomainInput): FieldError[] {
  return READ_ONLY_FIELDS.filter((name) => change[name] !== undefined && change[name] !== present[name]).map(
    (name) => fieldError(['body', name], `is read-only; leave it out or send its present value`, 'read_only'),
  )
}

export const updatedAudit = (
  before: DomainRecord,
  after: DomainRecord,
  moved: readonly (keyof DomainFields)[],
) => ({
  action: 'update',
  domain_id: after.id,
  domain: after.domain,
  revision_before: before.revision,
  revision_after: after.revision,
  detail: Object.fromEntries(moved.map((name) => [name, { before: before[name], after: after[name] }])),
})
