/** Restoring an older release: afterwards what was live then is live again, and nothing else; nothing final is undone. */
import { said } from './calls.ts'
import { type Model, type ModelRecord, type ReleasedRow, pendingIds } from './model.ts'
import type { Shown } from './shown.ts'
import type { Subject } from './subject.ts'

/** @param back how many releases ago, counted round. */
export async function restore(subject: Subject, back: number): Promise<void> {
  const { store } = subject.daemon
  const newest = (await store.latestRelease())!.number
  const number = newest - (back % newest)
  const before = subject.model
  const { rows } = await store.releasedAt(number)
  const final = (id: number) => before.records.get(id)?.status === 'disabled'
  const then = rows.filter(({ live, domain_id }) => live && !final(domain_id))
  const released = new Map<number, ReleasedRow>(then.map((row) => [row.domain_id, row]))
  subject.editions.expect({ ...before, released })
  const { answer, troubled } = await subject.ask('POST', `/api/releases/${number}/restore`)
  const done = answer.status < 300
  if (!done && !troubled && !['conflict', 'refused_by_guard'].includes(String(answer.body['code'])))
    throw new Error(said({ restore: number }, answer))
  const restored = (shown: Shown): Model | null => restoredFrom(before, shown, [...released.values()])
  subject.figures.restored += done ? 1 : 0
  await subject.check(done ? [] : [before], done || troubled ? restored : undefined)
}

/** The model after a restore, as far as the service shows nothing that must not be; else null. */
function restoredFrom(before: Model, shown: Shown, then: readonly ReleasedRow[]): Model | null {
  const records = new Map(shown.records.map((record) => [record.id, record]))
  const next_id = Math.max(before.next_id, ...[...records.keys()].map((id) => id + 1))
  const model: Model = { next_id, records, released: new Map(shown.released) }
  const kept = [...before.records.values()].every((record) => isKept(record, records.get(record.id)))
  const live = textOf([...model.released.values()])
  return kept && live === textOf(then) && pendingIds(model).length === 0 ? model : null
}

/** Nothing is deleted, and disabled is final. */
const isKept = (before: ModelRecord, after: ModelRecord | undefined): boolean =>
  after !== undefined && (before.status !== 'disabled' || after.status === 'disabled')

const textOf = (rows: readonly ReleasedRow[]): string =>
  rows
    .map(({ fields }) => JSON.stringify(fields))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('\n')
