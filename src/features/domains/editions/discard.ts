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
import { rehearsedChange } from '../rehearse-save.ts'
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
  const work: Work<Discarded> = async (tx, at) =>
    discarded(deps, tx, await findUnchanged(tx, domain_id, caller), at)
  const committed = await commit(deps, caller, work)
  if (committed.planned) return rehearsedChange(deps, caller, { ...committed, work })
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
  return savedMany(await commit(deps, caller, workOfMany(deps, seen)))
}

const workOfMany =
  (deps: Pick<Deps, 'offer'>, seen: readonly SeenRecord[]): Work<ManyChanged> =>
  async (tx, at) => {
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

async function discarded(
  { offer }: Pick<Deps, 'offer'>,
  tx: StoreWriter,
  before: DomainRecord,
  at: Instant,
): Promise<Change<Discarded>> {
  const checked = checkEdited(fieldsOf(before), outsideFields(await releasedFields(tx, before)), offer)
  if (!checked.ok) throw invalid(checked.errors)
  const { fields, warnings } = checked
  const moved = movedFields(before, fields)
  const record = moved.length === 0 ? before : await tx.reviseDomain(before.id, { fields }, at)
  const result = { before, record, moved }
  const audit = moved.length === 0 ? [] : [auditOf(result)]
  return { result, audit, ...ONLY_SAVES, saves: [record], moves: moved, warnings }
}

/** Throws `conflict` where nothing of it is released. */
async function releasedFields(tx: StoreWriter, { id, domain }: DomainRecord): Promise<DomainFields> {
  const released = await deployedRow(tx, id)
  if (released !== undefined) return released.fields
  throw new Failure('conflict', `Nothing of ${domain} is released, so there is nothing to go back to.`, {
    facts: { domain_id: id },
  })
}

const auditOf = ({ before, record, moved }: Discarded) => ({
  action: 'discard',
  domain_id: record.id,
  domain: record.domain,
  revision_before: before.revision,
  revision_after: record.revision,
  detail: Object.fromEntries(moved.map((name) => [name, { before: before[name], after: record[name] }])),
})
