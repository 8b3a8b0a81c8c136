/** Activate, deactivate, disable: the only calls that move a record's status, each released at once. */
import { Failure } from '../../kernel/failure.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import { type IntentRow, rowOf } from '../../model/intent.ts'
import { becameOf } from '../../model/domain/became.ts'
import { nextStatus } from '../../model/domain/lifecycle.ts'
import type { StoreReader, StoreWriter } from '../../ports/store.ts'
import { type DeploymentResult, type PlannedAnswer, planned, type RetiredAnswer } from '../../core/answers.ts'
import type { AuditFacts } from '../../core/audit/facts.ts'
import { commit } from '../../core/commit/commit.ts'
import { type Change, opening } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { DeployWords } from '../../core/deploy.ts'
import type { OwnedRrset } from '../../model/network/dns.ts'
import { bringOut, takeDown } from './deploy.ts'
import type { Deps } from './deps.ts'
import { warningsOn } from './editions/deploy-work.ts'
import { findUnchanged } from '../../core/find-domain.ts'
import { closingWords, outcomeWords, type StatusVerb } from '../../model/domain/record-outcome.ts'

/** Activation of an active record is a redeploy: its saved edits go out, and nothing changes when there are none. */
export async function activateDomain(
  deps: Deps,
  domain_id: number,
  caller: Caller,
): Promise<DeploymentResult | PlannedAnswer> {
  const work = opening('one', async (tx, at) => {
    const change = await moveStatus(deps, tx, { domain_id, verb: 'activate', caller, at })
    await tx.openActivation(domain_id, at)
    return change
  })
  const committed = await commit(deps, caller, work)
  if (committed.planned) return planned(committed.plan)
  const message = outcomeWords('activate', committed.result)
  const done = { message, domain_ids: [domain_id], activates: domain_id }
  return bringOut(deps, { action: 'activate', domain_id, done, committed }, caller)
}

/** Deactivation and disabling: the route goes first, then what it needed. */
export async function retireDomain(
  deps: Deps,
  domain_id: number,
  verb: Exclude<StatusVerb, 'activate'>,
  caller: Caller,
): Promise<RetiredAnswer | PlannedAnswer> {
  const committed = await commit(deps, caller, (tx, at) =>
    moveStatus(deps, tx, { domain_id, verb, caller, at }),
  )
  if (committed.planned) return planned(committed.plan)
  const { result, head, warnings } = committed
  const words = retiringWords(deps, result, { verb, signal: caller.signal })
  const { revision } = result.record
  return takeDown(deps, { about: { action: verb, domain_id }, words, head, warnings, revision }, caller)
}

interface Retiring extends Pick<Caller, 'signal'> {
  readonly verb: Exclude<StatusVerb, 'activate'>
}

const retiringWords = ({ record_dns }: Deps, moved: Moved, { verb, signal }: Retiring): DeployWords => ({
  ...closingWords(verb, moved),
  ...(verb === 'deactivate' && {
    saidAfter: (components) => record_dns.keptWords(moved.own_dns, { components, signal }),
  }),
})

interface Moved {
  readonly record: DomainRecord
  /** The name that was deployed, or is deployed by it. */
  readonly domain: string
  /** As it is deployed by it, or was before it was taken back. */
  readonly row: IntentRow | undefined
  /** Its DNS records that the ledger has for ours. */
  readonly own_dns: readonly OwnedRrset[]
}

interface Move {
  readonly domain_id: number
  readonly verb: StatusVerb
  readonly caller: Caller
  readonly at: number
}

async function moveStatus(
  { record_dns }: Pick<Deps, 'record_dns'>,
  tx: StoreWriter,
  { domain_id, verb, caller, at }: Move,
): Promise<Change<Moved>> {
  const change = await moveRecord(tx, await findUnchanged(tx, domain_id, caller), verb, at)
  return { ...change, result: { ...change.result, own_dns: await record_dns.ownSets(tx, domain_id) } }
}

/** Within the caller's transaction: the row that is released by it, and the audit. Throws what `changeStatus` throws. */
export async function moveRecord(
  tx: StoreWriter,
  before: DomainRecord,
  verb: StatusVerb,
  at: number,
): Promise<Change<Omit<Moved, 'own_dns'>>> {
  const record = await changeStatus(tx, before, verb, at)
  const deployed = verb === 'activate' ? rowOf(record) : await deployedRow(tx, before.id)
  const row = verb === 'activate' ? rowOf(record) : await retiredRow(tx, before, record)
  const { domain } = row.fields
  return {
    result: { record, domain, row: deployed },
    audit: [movedAudit(verb, before, record)],
    release: [{ domain_id: before.id, row }],
    reason: `${verb} ${domain}`,
    becomes: becameOf(before, record),
    ...(verb === 'activate' ? { warnings: warningsOn(row) } : { warnings: [], goes_on: 'unread' as const }),
  }
}

const movedAudit = (verb: StatusVerb, before: DomainRecord, after: DomainRecord): AuditFacts => ({
  action: verb,
  domain_id: before.id,
  domain: after.domain,
  revision_before: before.revision,
  revision_after: after.revision,
  detail: { status: { before: before.status, after: after.status } },
})

/** As it is released now. */
export const deployedRow = async (tx: StoreReader, id: number): Promise<IntentRow | undefined> =>
  (await tx.intent('released')).rows.find(({ domain_id }) => domain_id === id)

/**
 * What was deployed is what is taken back: an edit that was saved and not deployed, such as another name, stays saved and
 * takes nothing with it.
 * @param before as it was saved when the caller came
 */
export async function retiredRow(
  tx: StoreReader,
  before: DomainRecord,
  record: DomainRecord,
): Promise<IntentRow> {
  const saved = rowOf(record)
  const deployed = await deployedRow(tx, record.id)
  if (deployed === undefined || deployed.revision === before.revision) return saved
  return { ...deployed, live: saved.live, retired: saved.retired }
}

/** Moves the status within the caller's transaction. Throws `record_disabled` where the lifecycle has no such step. */
export async function changeStatus(
  tx: StoreWriter,
  record: DomainRecord,
  verb: StatusVerb,
  at: number,
): Promise<DomainRecord> {
  const status = nextStatus(record.status, verb)
  if (status === null)
    throw new Failure(
      'record_disabled',
      `${record.domain} is disabled, which is final, and a disabled record keeps its name. ` +
        `Delete it (DELETE /api/domains/${record.id}) and create a new one, or give a new one another name.`,
    )
  if (status === record.status) return record
  const first = verb === 'activate' && record.activated_at === null
  return tx.reviseDomain(record.id, { status, ...(first ? { activated_at: at } : {}) }, at)
}
