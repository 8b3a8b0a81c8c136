/** Deletes a record: its route goes, what we own of it elsewhere goes, the audit trail stays. */
import type { Instant } from '../../kernel/clock.ts'
import { deleted } from '../../model/domain/became.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import type { IntentRow } from '../../model/intent.ts'
import type { DamagedRecord } from '../../ports/records/damaged.ts'
import type { StoreReader, StoreWriter } from '../../ports/store.ts'
import { type PlannedAnswer, planned, type RetiredAnswer } from '../../core/answers.ts'
import { commit } from '../../core/commit/commit.ts'
import type { Change } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import { takeDown } from './deploy.ts'
import type { Deps } from './deps.ts'
import type { EndedKeys } from './neighbours.ts'
import { deployedRow, retiredRow } from './change-status.ts'
import { findUnchanged } from '../../core/find-domain.ts'
import { type RecordOutcome, closingWords } from '../../model/domain/record-outcome.ts'
import type { AuditFacts } from '../../core/audit/facts.ts'

export async function removeDomain(
  deps: Deps,
  domain_id: number,
  caller: Caller,
): Promise<RetiredAnswer | PlannedAnswer> {
  const committed = await commit(deps, caller, async (tx, at) => ({
    ...(await removed(deps, tx, { domain_id, caller, at })),
    goes_on: 'unread',
  }))
  if (committed.planned) return planned(committed.plan)
  const { result, head } = committed
  const about = { action: 'delete', domain_id, domain: result.domain }
  forgetKeys(deps, [result])
  const words = closingWords('delete', result, endedKeysWords([result]))
  const warnings = withoutEndings(deps, { warnings: committed.warnings, removals: [result] })
  return takeDown(deps, { about, words, head, warnings, revision: null }, caller)
}

interface ToRemove {
  readonly domain_id: number
  readonly caller: Caller
  readonly at: Instant
}

async function removed(
  deps: Deps,
  tx: StoreWriter,
  { domain_id, caller, at }: ToRemove,
): Promise<Change<Removal>> {
  const damaged = await tx.damagedRecord(domain_id)
  if (damaged === null) return removeRecord(deps, tx, await findUnchanged(tx, domain_id, caller), at)
  return withKeysEnded(deps, tx, { change: await removalOfDamaged(tx, damaged), domain_id, at })
}

interface Removed extends RecordOutcome {
  readonly saved_as: string
}

export interface Removal extends Removed {
  readonly ended: EndedKeys
}

/** Within the caller's transaction: the row that is released in its place, the audit, and what ended with it. */
export const removeRecord = async (
  deps: Pick<Deps, 'gateways'>,
  tx: StoreWriter,
  record: DomainRecord,
  at: Instant,
): Promise<Change<Removal>> =>
  withKeysEnded(deps, tx, { change: await removal(tx, record), domain_id: record.id, at })

/** What the message says already. */
export function withoutEndings(
  { gateways }: Pick<Deps, 'gateways'>,
  { warnings, removals }: { readonly warnings: readonly string[]; readonly removals: readonly Removal[] },
): readonly string[] {
  const said = new Set(removals.flatMap(({ ended }) => gateways.endingWords(ended.tokens)))
  return warnings.filter((one) => !said.has(one))
}

/** Once that is durable: what is kept in memory follows. */
export function forgetKeys({ gateways }: Pick<Deps, 'gateways'>, removals: readonly Removal[]): void {
  for (const { ended } of removals) gateways.forget(ended)
}

/** What the message of a removal goes on with. */
export function endedKeysWords(removals: readonly Removal[]): string {
  const count = removals.reduce((sum, { ended }) => sum + ended.tokens.length, 0)
  const whose = removals.length === 1 ? 'its' : 'their'
  if (count === 0) return ''
  return count === 1
    ? ` 1 key of ${whose} gateway has ended.`
    : ` ${count} keys of ${whose} gateways have ended.`
}

interface Planned {
  readonly change: Change<Removed>
  readonly domain_id: number
  readonly at: Instant
}

async function withKeysEnded(
  { gateways }: Pick<Deps, 'gateways'>,
  tx: StoreWriter,
  { change, domain_id, at }: Planned,
): Promise<Change<Removal>> {
  const hosts = [...new Set([change.result.domain, change.result.saved_as])]
  const ended = await gateways.giveUp(tx, { hosts, domain_id, at })
  await tx.deleteDomain(domain_id)
  return {
    ...change,
    audit: [...change.audit, ...ended.audit],
    warnings: [...change.warnings, ...gateways.endingWords(ended.tokens)],
    becomes: deleted(change.result.saved_as),
    result: { ...change.result, ended },
  }
}

async function removal(tx: StoreReader, record: DomainRecord): Promise<Change<Removed>> {
  const row = await retiredRow(tx, record, record)
  const deployed = await deployedRow(tx, record.id)
  // Under its old name people know only what they can reach by it.
  const { domain } = deployed?.live === true ? row.fields : record
  return {
    result: { domain, saved_as: record.domain, row: deployed },
    audit: [removedAudit(record, { record })],
    release: [{ domain_id: record.id, row: retired(row) }],
    reason: `delete ${domain}`,
    warnings: [],
  }
}

/** What stands outside is what was deployed: the damaged row says nothing of it, not even the name. */
async function removalOfDamaged(
  tx: StoreReader,
  { domain_id, domain }: DamagedRecord,
): Promise<Change<Removed>> {
  const deployed = await deployedRow(tx, domain_id)
  const name = deployed?.fields.domain ?? domain
  return {
    result: { domain: name, saved_as: domain, row: deployed },
    audit: [removedAudit({ id: domain_id, domain: name, revision: null }, { damaged: true })],
    release: deployed === undefined ? [] : [{ domain_id, row: retired(deployed) }],
    reason: `delete ${name}, whose record is damaged`,
    warnings: [],
  }
}

const removedAudit = (
  { id, domain, revision }: Pick<DomainRecord, 'id' | 'domain'> & { readonly revision: number | null },
  detail: NonNullable<AuditFacts['detail']>,
): AuditFacts => ({
  action: 'delete',
  domain_id: id,
  domain,
  revision_before: revision,
  revision_after: null,
  detail,
})

const retired = (row: IntentRow): IntentRow => ({ ...row, live: false, retired: true })
