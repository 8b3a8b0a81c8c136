/** One change of many domains, as a plan takes it: of each only what moves in it. */
import type { Domain } from '../api/types.ts'
import { draftOf, setOf, type Draft } from './draft.ts'

export interface PlannedEdit {
  readonly id: number
  readonly revision: number
  readonly set: Readonly<Record<string, unknown>>
}

/** Those that are so already are left out: a plan of them would deploy what else waits in them. */
export const editsOf = (records: readonly Domain[], edit: (draft: Draft) => Draft): readonly PlannedEdit[] =>
  records.flatMap((record) => {
    const { id, revision } = record
    const set = setOf(record, edit(draftOf(record)))
    return Object.keys(set).length === 0 ? [] : [{ id, revision, set }]
  })
