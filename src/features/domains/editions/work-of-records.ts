/** The work of a plan over several records: saves what is not saved yet, and releases all of them. As a whole or not at all. */
import type { CoreParts } from '../../../core/parts.ts'
import { type Change, opening, type Work } from '../../../core/commit/change.ts'
import type { AuditFacts } from '../../../core/audit/facts.ts'
import { findDomain } from '../../../core/find-domain.ts'
import { firstOf } from '../../../kernel/async/first-of.ts'
import { Failure } from '../../../kernel/failure.ts'
import { signInFaultsAmong } from '../../../model/access/applies.ts'
import { insecureAmong } from '../../../model/domain/backend-rules.ts'
import { type DomainRecord, isLive } from '../../../model/domain/record.ts'
import { rowOf } from '../../../model/intent.ts'
import type { RecordsScope } from '../../../model/plan.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { type Edited, type EditedMany, editMany } from './edit-many.ts'
import { outcomeWords } from '../../../model/domain/record-outcome.ts'
import type { Deployable } from './deploy-work.ts'

/** Throws what `editMany` throws, and `conflict` for a record that is not active and has no edit here. */
export const workOfRecords = (deps: Pick<CoreParts, 'offer'>, scope: RecordsScope): Work<Deployable> =>
  opening('one', (tx, at) => releaseRecords(deps, tx, scope, at))

async function releaseRecords(
  deps: Pick<CoreParts, 'offer'>,
  tx: StoreWriter,
  scope: RecordsScope,
  at: number,
): Promise<Change<Deployable>> {
  const { edits, create } = scope
  const edited = await editMany(deps, tx, { edits, create }, at)
  const records = [...edited.records.map(({ record }) => record), ...(await unedited(tx, scope))]
  const activates = edited.records.filter(({ before }) => before === null).map(({ record }) => record.id)
  // One alone is an activation as any other: what a crash cuts off is decided by the next start.
  const [only] = records.length === 1 ? activates : []
  if (only !== undefined) await tx.openActivation(only, at)
  return releaseOf(records, edited, only)
}

/** Throws `conflict` for one that is not live. */
async function unedited(
  tx: StoreWriter,
  { domain_ids, edits }: RecordsScope,
): Promise<readonly DomainRecord[]> {
  const with_edit = new Set(edits.map(({ id }) => id))
  const records: DomainRecord[] = []
  for (const id of new Set(domain_ids)) if (!with_edit.has(id)) records.push(await liveRecord(tx, id))
  return records
}

/** @param only the record that it is about alone, where that is a new one */
function releaseOf(records: readonly DomainRecord[], edited: EditedMany, only?: number): Change<Deployable> {
  const live = records.filter(isLive)
  return {
    result: {
      domain_ids: live.map(({ id }) => id),
      message: messageOf(live, edited.records),
      ...(records.length === 1 && { about: 'one' as const }),
      ...(only !== undefined && { activates: only }),
    },
    audit: [...edited.audit, ...live.map(deployedAudit)],
    release: live.map((record) => ({ domain_id: record.id, row: rowOf(record) })),
    saves: edited.records.map(({ record }) => record),
    reason: `deploy ${live.length === 1 ? live[0]!.domain : `${live.length} domains`}`,
    warnings: warningsOf(records, edited),
  }
}

function warningsOf(records: readonly DomainRecord[], { warnings }: EditedMany): readonly string[] {
  const rows = records.filter(isLive).map(rowOf)
  return [
    ...firstOf(warnings),
    ...firstOf(insecureAmong(rows)),
    ...firstOf(signInFaultsAmong(rows)),
    ...firstOf(records.filter((record) => !isLive(record)).map(onlySaved)),
  ]
}

async function liveRecord(tx: StoreWriter, id: number): Promise<DomainRecord> {
  const record = await findDomain(tx, id)
  if (isLive(record)) return record
  throw new Failure(
    'conflict',
    `${record.domain} is ${record.status}; only an active domain can be deployed. Take it out of the plan, or activate it.`,
    { facts: { domain_id: id } },
  )
}

const onlySaved = ({ domain, status }: DomainRecord): string =>
  `${domain} is ${status}: its change is saved, and nothing of it is deployed.`

const deployedAudit = ({ id, domain, revision }: DomainRecord): AuditFacts => ({
  action: 'deploy',
  domain_id: id,
  domain,
  revision_before: revision,
  revision_after: revision,
})

function messageOf(live: readonly DomainRecord[], edited: readonly Edited[]): string {
  const [only] = live
  if (only !== undefined && live.length === 1)
    return outcomeWords('deploy', { domain: only.domain, row: rowOf(only) })
  return live.length === 0
    ? `Saved ${edited.length} ${edited.length === 1 ? 'domain' : 'domains'}; none of them is active.`
    : `Deployed ${live.length} domains.`
}
