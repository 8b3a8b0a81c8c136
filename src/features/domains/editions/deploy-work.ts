/** The work of deploying: which rows a deploy of one record, or of everything, moves. Shared by deploys and stored plans. */
import { OF_NO_RECORD } from '../../../core/audit/facts.ts'
import { pendingBetween } from '../../../engine/editions/editions.ts'
import { Failure } from '../../../kernel/failure.ts'
import { firstOf } from '../../../kernel/async/first-of.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import { insecureAmong } from '../../../model/domain/backend-rules.ts'
import { signInFaultsAmong } from '../../../model/access/applies.ts'
import { type DomainRecord, isLive } from '../../../model/domain/record.ts'
import { type IntentRow, rowOf } from '../../../model/intent.ts'
import type { RefusedRow } from '../../../model/plan.ts'
import type { DamagedRecord } from '../../../ports/records/damaged.ts'
import type { StoreReader } from '../../../ports/store.ts'
import { type Change, opening, type Work } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { renamedBy } from '../../../engine/editions/renamed.ts'
import { findUnchanged } from '../../../core/find-domain.ts'
import { outcomeWords } from '../../../model/domain/record-outcome.ts'

export interface Deployable {
  readonly domain_ids: readonly number[]
  readonly message: string
  /** It is about this record alone, so that what is in its way is the failure of the call. */
  readonly about?: 'one'
  /** The one record that is activated by it. */
  readonly activates?: number
  /** The message goes on with how many were changed. */
  readonly counts?: true
}

/** What was deployed while these stay as they are. */
export function but(done: Deployable, refused: readonly RefusedRow[]): Deployable {
  const ids = new Set(refused.map(({ domain_id }) => domain_id))
  return { ...done, domain_ids: done.domain_ids.filter((id) => !ids.has(id)) }
}

/** Everything that is saved and not deployed. */
export const workOfAll: Work<Deployable> = opening('each', async (tx) => {
  const working = await tx.intent('working')
  const rows = pendingBetween(working, await tx.intent('released'))
  const damaged = await tx.damagedRecords()
  const but =
    damaged.length === 0 ? '' : ` but ${damaged.length} that ${damaged.length === 1 ? 'is' : 'are'} damaged`
  return {
    result: {
      domain_ids: rows.map((row) => row.domain_id),
      message: `Deployed all active domains${but}`,
      counts: true,
    },
    audit: [
      { ...OF_NO_RECORD, action: 'deploy_all', detail: { rows: rows.length, damaged: damaged.length } },
    ],
    release: rows,
    reach: { records: 'all' },
    reason: 'deploy all',
    warnings: [
      ...firstOf(damaged.map(notDeployed)),
      ...insecureAmong(working.rows),
      ...firstOf(signInFaultsAmong(working.rows)),
    ],
  }
})

const notDeployed = ({ domain, domain_id }: DamagedRecord): string =>
  `${domain} (${domain_id}) is damaged: what was saved of it cannot be believed, so it was not deployed and stays as it was. ` +
  'Delete it and create it anew, or restore a backup.'

/** One record's saved state and nothing else. Throws `not_found`, `revision_mismatch`, `conflict`. */
export const workOfDomain = (domain_id: number, caller: Caller): Work<Deployable> =>
  opening('one', (tx) => deployRecord(tx, domain_id, caller))

async function deployRecord(tx: StoreReader, domain_id: number, caller: Caller): Promise<Change<Deployable>> {
  const record = await findUnchanged(tx, domain_id, caller)
  if (!isLive(record)) throw notLive(record)
  const { domain, revision } = record
  const row = rowOf(record)
  const [renamed] = renamedBy([{ domain_id, row }], await tx.intent('released'))
  return {
    result: { domain_ids: [domain_id], message: outcomeWords('deploy', { domain, row }) },
    audit: [{ action: 'deploy', domain_id, domain, revision_before: revision, revision_after: revision }],
    release: [{ domain_id, row }],
    reason:
      renamed === undefined ? `deploy ${domain}` : `rename ${renamed.before.fields.domain} to ${domain}`,
    warnings: warningsOn(row),
  }
}

function notLive({ domain, status }: DomainRecord): Failure {
  const cure =
    status === 'inactive' ? ` Activate it, which deploys it (plumbline on ${shellWord(domain)}).` : ''
  return new Failure('conflict', `${domain} is ${status}; only an active domain can be deployed.${cure}`)
}

/** What a release of it says beside what it does. */
export const warningsOn = (row: IntentRow): readonly string[] => [
  ...insecureAmong([row]),
  ...signInFaultsAmong([row]),
]
