/** What a release is recorded with beside its rows: its event, and the draft of the first one. */
import type { EventKind } from '../model/event.ts'
import type { ReleaseDraft } from '../ports/store.ts'
import type { ReleaseHead, ReleaseRow } from '../ports/records/trails.ts'
import type { NewEvent } from '../ports/records/trails.ts'

/** An installation without a domain has a release too: the file it stands for exists and can be healed. */
export const FIRST_RELEASE: Omit<ReleaseDraft, 'artifacts' | 'created_at'> = {
  actor: 'reconciler',
  request_id: '',
  reason: 'installation',
  plan_hash: null,
  warnings: [],
  rows: [],
}

/** Written in the release's own transaction: the trail never misses one and never tells of one that is not. */
export function releaseEvent(head: ReleaseHead, rows: readonly ReleaseRow[]): NewEvent {
  const { number, created_at, actor, request_id, reason } = head
  const kind: EventKind = 'release'
  const facts = { release: number, actor, request_id, reason, rows: rows.length }
  return { at: created_at, kind, message: `Release ${number}: ${reason}.`, facts }
}
