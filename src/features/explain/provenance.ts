/** Where a record's two editions come from: who saved the one, who released the other, and which edit of a stranger's was undone. */
import { UNDONE } from '../../engine/editions/undone.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { AuditRecord } from '../../ports/records/trails.ts'
import type { ExplainedDomain } from './views.ts'

type Saved = NonNullable<ExplainedDomain['saved']>
type ReleasedBy = NonNullable<ExplainedDomain['released']>
type UndoneEdit = NonNullable<ExplainedDomain['undone']>

const PAGE = 100
/** A record that was redeployed more often than this since its last edit keeps its editor's name to itself. */
const MAX_PAGES = 20

/** The audit entry that made the record's present revision. Null when the trail does not reach back to it. */
export async function savedBy(store: StoreReader, { id, revision }: DomainRecord): Promise<Saved | null> {
  let before: number | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = { domain_id: id, limit: PAGE, ...(before === null ? {} : { before }) }
    const entries: readonly AuditRecord[] = await store.auditTrail(query)
    const found = entries.find((entry) => madeRevision(entry, revision))
    if (found !== undefined) return savedOf(found)
    if (entries.length < PAGE) return null
    before = entries.at(-1)!.id
  }
  return null
}

/** One call may raise the revision more than once; what it started from tells. */
const madeRevision = ({ revision_before, revision_after }: AuditRecord, revision: number): boolean =>
  revision_after === revision && revision_before !== revision

const savedOf = ({ at, actor, request_id, action }: AuditRecord): Saved => ({
  at: isoTime(at),
  actor,
  request_id,
  action,
})

/** The newest release that moved the record, in or out. */
export async function releasedBy(store: StoreReader, domain_id: number): Promise<ReleasedBy | null> {
  const number = await store.lastReleaseOf(domain_id)
  const release = number === null ? null : await store.release(number)
  if (release === null) return null
  const { created_at, actor, request_id, reason } = release
  return { release: release.number, at: isoTime(created_at), actor, request_id, reason }
}

/** The newest, as the audit trail tells it. */
export async function undoneEdit(store: StoreReader, domain_id: number): Promise<UndoneEdit | null> {
  const [entry] = await store.auditTrail({ domain_id, action: UNDONE, limit: 1 })
  if (entry === undefined) return null
  return { at: isoTime(entry.at), ...undoneIn(entry)! }
}

/** What an entry of the audit trail says that was undone; null for every other entry. */
export function undoneIn({
  action,
  detail,
}: Pick<AuditRecord, 'action' | 'detail'>): Omit<UndoneEdit, 'at'> | null {
  if (action !== UNDONE) return null
  const { component, count, items, kept_as } = detail as unknown as UndoneEdit
  return { component, count, items, kept_as }
}
