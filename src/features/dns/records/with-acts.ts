/** What can be done, beside each record and each difference. */
import { actsOnRecord, withActs } from '../../../model/acts/acts.ts'
import { actGround } from '../../../engine/act-ground.ts'
import type { CoreParts } from '../../../core/parts.ts'
import type { ListedRecord, RecordsAnswer } from './read-records.ts'

export async function recordsWithActs(deps: CoreParts, answer: RecordsAnswer) {
  const ground = await actGround(deps)
  const shown = (record: ListedRecord) => ({
    ...record,
    acts: actsOnRecord(ground, { ...record, wanted: record.desired !== null }),
  })
  return {
    ...answer,
    records: answer.records.map(shown),
    differences: withActs(ground, 'dns', answer.differences),
  }
}
