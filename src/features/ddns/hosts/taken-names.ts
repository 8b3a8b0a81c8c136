/**
 * The names that a change gave to records. Saved, as its audit entries tell it: a new record has one, and an edit may move it.
 * Deployed, as the rows that move tell it: a name that was another's until then is free by now.
 */
import type { Intent } from '../../../model/intent.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import type { AuditFacts } from '../../../core/audit/facts.ts'
import type { Taken } from './give-up-hosts.ts'

export function takenNames(
  audit: readonly AuditFacts[],
  moving: readonly ReleaseRow[],
  released: Intent,
): readonly Taken[] {
  const saved = savedNames(audit)
  const known = new Set(saved.map(keyOf))
  return [...saved, ...deployedNames(moving, released).filter((one) => !known.has(keyOf(one)))]
}

const keyOf = ({ domain_id, domain }: Taken): string => `${domain_id} ${domain}`

const deployedNames = (moving: readonly ReleaseRow[], { rows }: Intent): readonly Taken[] => {
  const before = new Map(
    rows.filter(({ retired }) => !retired).map((row) => [row.domain_id, row.fields.domain]),
  )
  return moving.flatMap(({ domain_id, row }) => {
    const domain = row?.fields.domain
    if (domain === undefined || before.get(domain_id) === domain) return []
    return [{ domain_id, domain, ...(before.has(domain_id) && { is_moved: true as const }) }]
  })
}

const savedNames = (audit: readonly AuditFacts[]): readonly Taken[] =>
  audit.flatMap(({ domain_id, domain, revision_before, revision_after, detail }) => {
    if (domain_id === null || domain === null || revision_after === null) return []
    return revision_before === null || isMoved(detail?.['domain']) ? [{ domain_id, domain }] : []
  })

const isMoved = (change: unknown): boolean =>
  typeof change === 'object' && change !== null && 'before' in change && 'after' in change
