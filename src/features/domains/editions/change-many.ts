/** Saves one change of many records, all of them or none. Nothing is deployed: a plan of the same ids does that. */
import { type PlannedAnswer, planned } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { type Committed, ONLY_SAVES, type Work } from '../../../core/commit/change.ts'
import { commit } from '../../../core/commit/commit.ts'
import type { CoreParts } from '../../../core/parts.ts'
import { movedFields } from '../../../model/domain/field-changes.ts'
import type { DomainFields, DomainRecord } from '../../../model/domain/record.ts'
import { editMany, type RecordEdit } from './edit-many.ts'

export interface ManyChanged {
  /** In the order of the call; those that are so already have an empty list. */
  readonly records: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly revision: number
    readonly changed: readonly (keyof DomainFields)[]
  }[]
}

export type ManySaved = ManyChanged & {
  readonly success: true
  readonly message: string
  readonly warnings: readonly string[]
}

/** Throws what `editMany` throws. */
export async function changeMany(
  deps: CoreParts,
  edits: readonly RecordEdit[],
  caller: Caller,
): Promise<ManySaved | (ManyChanged & PlannedAnswer)> {
  return savedMany(await commit(deps, caller, workOf(deps, edits)))
}

const workOf =
  (deps: CoreParts, edits: readonly RecordEdit[]): Work<ManyChanged> =>
  async (tx, at) => {
    const { records, audit, warnings } = await editMany(deps, tx, { edits, create: [], list: 'records' }, at)
    const shown = records.map(({ before, record }) =>
      changedRecord(record, before === null ? [] : movedFields(before, record)),
    )
    return {
      result: { records: shown },
      audit,
      ...ONLY_SAVES,
      saves: records.map(({ record }) => record),
      moves: shown.flatMap(({ changed }) => changed),
      warnings,
    }
  }

export const changedRecord = (
  { id, domain, revision }: DomainRecord,
  changed: readonly (keyof DomainFields)[],
): ManyChanged['records'][number] => ({ domain_id: id, domain, revision, changed })

export function savedMany(committed: Committed<ManyChanged>): ManySaved | (ManyChanged & PlannedAnswer) {
  if (committed.planned) return { ...committed.result, ...planned(committed.plan) }
  const { result, warnings } = committed
  const count = result.records.filter(({ changed }) => changed.length > 0).length
  const message = `Saved ${count} of ${result.records.length} domains. Nothing is deployed by it.`
  return { success: true, message, ...result, warnings }
}
