/** What a change says of itself to the trail. */
import type { AuditEntry } from '../../ports/records/trails.ts'

export type AuditFacts = Pick<
  AuditEntry,
  'action' | 'domain_id' | 'domain' | 'revision_before' | 'revision_after'
> & {
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Of an entry that is about no record. */
export const OF_NO_RECORD = {
  domain_id: null,
  domain: null,
  revision_before: null,
  revision_after: null,
} as const
