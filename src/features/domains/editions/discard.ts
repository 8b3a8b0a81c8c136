/** Gives up what is saved and not deployed: the record is saved as it is released, as a new revision. Nothing outside moves, and
 * what needs no deploy, such as a note, stays as it is saved. */
import type { PlannedAnswer, SuccessAnswer } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { type Change, ONLY_SAVES, type Work } from '../../../core/commit/change.ts'
import { commit } from '../../../core/commit/commit.ts'
import { findUnchanged } from '../../../core/find-domain.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure, invalid } from '../../../kernel/failure.ts'
import { movedFields } from '../../../model/domain/field-changes.ts'
import {
  type DomainFields,
  type DomainRecord,
  fieldsOf,
  outsideFields,
} from '../../../model/domain/record.ts'
import { checkEdited } from '../../../model/domain/rules.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { deployedRow } from '../change-status.ts'
import type { Deps } from '../deps.ts'
import { type Rehearsal, rehearsedSave } from '../rehearse-save.ts'
import { changedRecord, type ManyChanged, type ManySaved, savedMany } from './change-many.ts'
import { presentOf, type SeenRecord } from './edit-many.ts'
import type { RehearsedSave } from '../api/save-schemas.ts'

interface Discarded {
  readonly before: DomainRecord
  readonly record: DomainRecord
  readonly moved: readonly (keyof DomainFields)[]
}

/**
 * Throws `not_found`, `revision_mismatch`, `conflict` where nothing is released, `name_taken` where another record has the name by
 * now, and `validation_failed` for what today's rules refuse.
 */
export async function discardEdit(
  deps: Deps,
  domain_id: number,
  caller: Caller,
): Promise<SuccessAnswer | RehearsedSave> {
  const work: Work<Discarded> = async (tx, at) => {
    const before = await findUnchanged(tx, domain_id, caller)
    return discarded(deps, tx, before, at)
  }
  const committed = await commit(deps, caller, work)
  if (committed.planned) {
    const { before, record: after } = committed.result
    const save: Rehearsal['save'] = async (tx, at) => (await work(tx, at)).result.record
    return rehearsedSave(deps, caller, { before, after, plan: committed.plan, save })
  }
  const { result, warnings } = committed
  const { record, moved } = result
  const message =
    moved.length === 0
      ? `${record.domain} is saved as it is released.`
      : `What was saved of ${record.domain} is discarded: ${moved.join(', ')}.`
  return { success: true, domain_id, message, revision: record.revision, warnings }
}

/** Of many records, all of them or none; in the order of the call. Throws what `discardEdit` throws. */
export async function discardMany(
  deps: Deps,
  seen: readonly SeenRecord[],
  caller: Caller,
): Promise<ManySaved | (ManyChanged & PlannedAnswer)> {
  const work: Work<ManyChanged> = async (tx, at) => {
    const changes = []
    for (const before of await presentOf(tx, seen)) changes.push(await discarded(deps, tx, before, at))
    return {
      result: { records: changes.map(({ result }) => changedRecord(result.record, result.moved)) },
      audit: changes.flatMap(({ audit }) => audit),
      ...ONLY_SAVES,
      saves: changes.flatMap(({ saves = [] }) => saves),
      moves: changes.flatMap(({ moves = [] }) => moves),
      warnings: changes.flatMap(({ warnings }) => warnings),
    }
  }
  return savedMany(await commit(deps, caller, work))
}

async function discarded(
  { offer }: Pick<Deps, 'offer'>,
  tx: StoreWriter,
  before: DomainRecord,
  at: Instant,
): Promise<Change<Discarded>> {
  const released = await deployedRow(tx, before.id)
  if (released === undefined)
    throw new Failure(
      'conflict',
      `Nothing of ${before.domain} is released, so there is nothing to go back to.`,
      { facts: { domain_id: before.id } },
    )
  const checked = checkEdited(fieldsOf(before), outsideFields(released.fields), offer)
  if (!checked.ok) throw invalid(checked.errors)
  const moved = movedFields(before, checked.fields)
  const record =
    moved.length === 0 ? before : await tx.reviseDomain(before.id, { fields: checked.fields }, at)
  return {
    result: { before, record, moved },
    audit: moved.length === 0 ? [] : [auditOf({ before, record, moved })],
    ...ONLY_SAVES,
    saves: [record],
    moves: moved,
    warnings: checked.warnings,
  }
}

const auditOf = ({ before, record, moved }: Discarded) => ({
  action: 'discard',
  domain_id: record.id,
  domain: record.domain,
  revision_before: before.revision,
  revision_after: record.revision,
  detail: Object.fromEntries(moved.map((name) => [name, { before: before[name], after: record[name] }])),
})
