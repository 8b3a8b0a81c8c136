/** What the audit trail keeps of a change of a person: never a hash. */
import type { Person } from './records.ts'
import type { AuditFacts } from '../../core/audit/facts.ts'

export const personAudit = (action: string, { username, email, groups, origin }: Person): AuditFacts => ({
  action,
  domain_id: null,
  domain: null,
  revision_before: null,
  revision_after: null,
  detail: { username, email, groups, origin },
})
