/** The event of a release, written in the release's own transaction: the trail never misses one and never tells of one that is not. */
import type { EventKind } from '../model/event.ts'
import type { ReleaseHead, ReleaseRow } from '../ports/store.ts'
import type { NewEvent } from '../ports/records/trails.ts'

export function releaseEvent(head: ReleaseHead, rows: readonly ReleaseRow[]): NewEvent {
  const { number, created_at, actor, request_id, reason } = head
  const kind: EventKind = 'release'
  const facts = { release: number, actor, request_id, reason, rows: rows.length }
  return { at: created_at, kind, message: `Release ${number}: ${reason}.`, facts }
}
