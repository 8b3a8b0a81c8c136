/** The names that a change gave to records, as its audit entries tell it: a new record has one, and an edit may move it. */
import type { AuditFacts } from '../commit.ts'
import type { Taken } from './give-up-hosts.ts'

export const takenNames = (audit: readonly AuditFacts[]): readonly Taken[] =>
  audit.flatMap(({ domain_id, domain, revision_before, revision_after, detail }) => {
    if (domain_id === null || domain === null || revision_after === null) return []
    return revision_before === null || isMoved(detail?.['domain']) ? [{ domain_id, domain }] : []
  })

const isMoved = (change: unknown): boolean =>
  typeof change === 'object' && change !== null && 'before' in change && 'after' in change
