/** The service's own state in the model's terms, and how the two are compared. */
import { canonicalJson } from '../../src/kernel/digest.ts'
import { fieldsOf } from '../../src/model/domain/record.ts'
import type { StoreReader } from '../../src/ports/store.ts'
import type { Model, ModelRecord, ReleasedRow } from './model.ts'

export interface Shown {
  readonly records: readonly ModelRecord[]
  /** Live rows by id. */
  readonly released: readonly (readonly [number, ReleasedRow])[]
}

export async function readShown(store: StoreReader): Promise<Shown> {
  const { records } = await store.domains({ sort: 'id', limit: 1000 })
  const released = (await store.intent('released')).rows.filter(({ live }) => live)
  return {
    records: records.map((record) => ({
      id: record.id,
      revision: record.revision,
      status: record.status,
      fields: fieldsOf(record),
    })),
    released: released.map(({ domain_id, revision, fields }) => [domain_id, { revision, fields }]),
  }
}

/** `error` is the reconciler's verdict on an active record and no part of what was asked for. */
export const sameModel = (model: Model, shown: Shown): boolean =>
  textOf({ records: [...model.records.values()], released: [...model.released] }) === textOf(shown)

function textOf({ records, released }: Shown): string {
  const judged = records.map((record) =>
    record.status === 'error' ? { ...record, status: 'active' } : record,
  )
  return canonicalJson({
    records: judged.toSorted((a, b) => a.id - b.id),
    released: released.toSorted(([a], [b]) => a - b),
  })
}

/** The model with the verdicts that the service has come to. The same object when there is none to take over. */
export function withVerdicts(model: Model, { records }: Shown): Model {
  const judged = records.filter(({ id, status }) => model.records.get(id)!.status !== status)
  if (judged.length === 0) return model
  return { ...model, records: new Map(records.map((record) => [record.id, record])) }
}
