/** Gives up what is saved and not deployed: the record is saved as it is released, as a new revision. Nothing outside moves. */
import type { SuccessAnswer } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { ONLY_SAVES, type Work } from '../../../core/commit/change.ts'
import { commit } from '../../../core/commit/commit.ts'
import { findUnchanged } from '../../../core/find-domain.ts'
import { Failure, invalid } from '../../../kernel/failure.ts'
import { type DomainFields, type DomainRecord, fieldsOf } from '../../../model/domain/record.ts'
import { checkEdited } from '../../../model/domain/rules.ts'
import { deployedRow } from '../change-status.ts'
import type { Deps } from '../deps.ts'
import { type Rehearsal, rehearsedSave, type RehearsedSave } from '../rehearse-save.ts'
import { movedFields } from './read.ts'

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
    const released = await deployedRow(tx, domain_id)
    if (released === undefined)
      throw new Failure(
        'conflict',
        `Nothing of ${before.domain} is released, so there is nothing to go back to.`,
      )
    const checked = checkEdited(fieldsOf(before), { ...released.fields }, deps.offer)
    if (!checked.ok) throw invalid(checked.errors)
    const moved = movedFields(before, checked.fields)
    const record =
      moved.length === 0 ? before : await tx.reviseDomain(domain_id, { fields: checked.fields }, at)
    const audit = moved.length === 0 ? [] : [auditOf({ before, record, moved })]
    return {
      result: { before, record, moved },
      audit,
      ...ONLY_SAVES,
      saves: [record],
      warnings: checked.warnings,
    }
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

const auditOf = ({ before, record, moved }: Discarded) => ({
  action: 'discard',
  domain_id: record.id,
  domain: record.domain,
  revision_before: before.revision,
  revision_after: record.revision,
  detail: Object.fromEntries(moved.map((name) => [name, { before: before[name], after: record[name] }])),
})
