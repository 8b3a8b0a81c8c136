/** Says whom a change is about, for the log: whatever comes of it, and as soon as it is known. */
import { movedRows } from '../../engine/editions/editions.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { Intent } from '../../model/intent.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import type { Change, Work } from './change.ts'
import type { Caller } from '../caller.ts'

/** The same work, that names the records of its audit entries. */
export function naming<R>({ subjects }: Caller, work: Work<R>): Work<R> {
  if (subjects === undefined) return work
  const named = async (tx: StoreWriter, at: Instant): Promise<Change<R>> => {
    const change = await work(tx, at)
    for (const { domain } of change.audit) subjects.add(domain)
    return change
  }
  return Object.assign(named, work.opens !== undefined && { opens: work.opens })
}

/** Of a deploy of everything: those that it moves. */
export function nameMoved({ subjects }: Caller, rows: readonly ReleaseRow[], released: Intent): void {
  if (subjects === undefined) return
  for (const { row } of movedRows(rows, released)) subjects.add(row?.fields.domain ?? null)
}
