/** Does one thing with many records in one transaction: with all of them or with none. What refuses names who stands in the way. */
import { type DeploymentResult, type PlannedAnswer, planned } from '../../../core/answers.ts'
import { outcomeAudited } from '../../../core/audit/failed.ts'
import type { Caller } from '../../../core/caller.ts'
import { type Change, opening, type Work } from '../../../core/commit/change.ts'
import { commit } from '../../../core/commit/commit.ts'
import { firstOf } from '../../../kernel/async/first-of.ts'
import { Failure } from '../../../kernel/failure.ts'
import { nextStatus } from '../../../model/domain/lifecycle.ts'
import type { DomainRecord } from '../../../model/domain/record.ts'
import type { StoreWriter } from '../../../ports/store.ts'
import { workOfRecords } from './work-of-records.ts'
import {
  type RecordOutcome,
  closingWords,
  outcomeWords,
  type StatusVerb,
} from '../../../model/domain/record-outcome.ts'
import { moveRecord } from '../change-status.ts'
import type { Deps } from '../deps.ts'
import { endedKeysWords, forgetKeys, type Removal, removeRecord, withoutEndings } from '../remove.ts'
import { presentOf, type SeenRecord } from './edit-many.ts'
import type { ActedRecord } from './views.ts'

/** What deploys or takes away; what only saves is `discardMany`. */
export const MOVING_ACTS = ['activate', 'deactivate', 'disable', 'delete', 'deploy'] as const
export type MovingAct = (typeof MOVING_ACTS)[number]

interface Acted {
  readonly records: readonly ActedRecord[]
  readonly became: readonly RecordOutcome[]
  readonly removals: readonly Removal[]
}

export interface ManyActed {
  /** In the order of the call. */
  readonly records: readonly ActedRecord[]
}

/**
 * Throws `not_found`, `revision_mismatch`, `record_disabled`, and `conflict` for a deploy of what is not
 * active; else what a commit and a deploy throw.
 */
export async function actOnMany(
  deps: Deps,
  { action, records: seen }: { readonly action: MovingAct; readonly records: readonly SeenRecord[] },
  caller: Caller,
): Promise<(ManyActed & DeploymentResult) | (ManyActed & PlannedAnswer)> {
  const committed = await commit(deps, caller, workOf(deps, action, seen))
  const { records, became, removals } = committed.result
  if (committed.planned) return { records, ...planned(committed.plan) }
  const { head, refused, renamed } = committed
  forgetKeys(deps, removals)
  const [only] = seen.length === 1 ? seen : []
  const about = { action, ...(only !== undefined && { domain_id: only.id }) }
  const deployed = await outcomeAudited(deps, { caller, ...about }, () =>
    deps.deploy({
      ...wordsOf(action, became, endedKeysWords(removals)),
      domain_ids: seen.map(({ id }) => id),
      head,
      refused,
      renamed,
      warnings: withoutEndings(deps, { warnings: committed.warnings, removals }),
      direction: action === 'activate' || action === 'deploy' ? 'open' : 'close',
      ...(only !== undefined && action === 'deploy' && { about: 'one' as const }),
      ...(only !== undefined && action === 'activate' && { about: 'one' as const, activates: only.id }),
      progress: caller.progress,
    }),
  )
  return { records, ...deployed }
}

function workOf(deps: Deps, action: MovingAct, seen: readonly SeenRecord[]): Work<Acted> {
  if (action === 'deploy')
    return opening('one', async (tx, at) => {
      const present = await presentOf(tx, seen)
      const scope = { kind: 'records', domain_ids: seen.map(({ id }) => id), edits: [], create: [] } as const
      const change = await workOfRecords(deps, scope)(tx, at)
      const became = (change.release ?? []).flatMap(({ row }) =>
        row === null ? [] : [{ row, domain: row.fields.domain }],
      )
      return { ...change, result: { records: present.map(shown), became, removals: [] } }
    })
  if (action === 'delete') return (tx, at) => removeAll(deps, tx, seen, at)
  const work = (tx: StoreWriter, at: number) => moveAll(tx, { verb: action, seen }, at)
  return action === 'activate' ? opening('one', work) : work
}

async function moveAll(
  tx: StoreWriter,
  { verb, seen }: { readonly verb: StatusVerb; readonly seen: readonly SeenRecord[] },
  at: number,
): Promise<Change<Acted>> {
  const present = await presentOf(tx, seen)
  assertMovable(present, verb)
  const changes = []
  for (const before of present) changes.push(await moveRecord(tx, before, verb, at))
  // One alone is an activation as any other: what a crash cuts off is decided by the next start.
  if (verb === 'activate' && present.length === 1) await tx.openActivation(present[0]!.id, at)
  const results = changes.map(({ result }) => result)
  return {
    ...gathered(verb, changes),
    result: { records: results.map(({ record }) => shown(record)), became: results, removals: [] },
    ...(verb === 'activate' ? {} : { goes_on: 'unread' as const }),
  }
}

async function removeAll(
  deps: Deps,
  tx: StoreWriter,
  seen: readonly SeenRecord[],
  at: number,
): Promise<Change<Acted>> {
  const present = await presentOf(tx, seen)
  const changes = []
  for (const record of present) changes.push(await removeRecord(deps, tx, record, at))
  const removals = changes.map(({ result }) => result)
  const records = present.map(({ id, domain }) => ({ domain_id: id, domain, revision: null, status: null }))
  return {
    ...gathered('delete', changes),
    result: { records, became: removals, removals },
    goes_on: 'unread',
  }
}

const gathered = (verb: MovingAct, changes: readonly Change<RecordOutcome>[]) => ({
  audit: changes.flatMap(({ audit }) => audit),
  release: changes.flatMap(({ release }) => release ?? []),
  becomes: changes.flatMap(({ becomes }) => becomes ?? []),
  reason: changes.length === 1 ? changes[0]!.reason : `${verb} ${changes.length} domains`,
  warnings: changes.flatMap(({ warnings }) => warnings),
})

const shown = ({ id, domain, revision, status }: DomainRecord): ActedRecord => ({
  domain_id: id,
  domain,
  revision,
  status,
})

/** All of them are named at once, so that they can be taken out of the choice. */
function assertMovable(present: readonly DomainRecord[], verb: StatusVerb): void {
  const final = present.filter(({ status }) => nextStatus(status, verb) === null)
  if (final.length === 0) return
  const names = firstOf(final.map(({ domain }) => domain)).join(', ')
  throw new Failure(
    'record_disabled',
    `Disabled, which is final: ${names}. Nothing was changed; take them out of the choice.`,
    { facts: { domain_ids: final.map(({ id }) => id) } },
  )
}

function wordsOf(action: MovingAct, became: readonly RecordOutcome[], then: string) {
  const [only] = became
  const is_one = only !== undefined && became.length === 1
  if (action === 'activate' || action === 'deploy')
    return { message: is_one ? outcomeWords(action, only) : OPENED[action](became.length) }
  if (is_one) return closingWords(action, only, then)
  const begin = CLOSED[action](became.length)
  return {
    message: `${begin}; their routes are removed.${then}`,
    unless_loaded: {
      not_loaded: `${begin}; their routes are out of the routes file, but the proxy has not loaded that and goes on serving them.${then}`,
      not_known: `${begin}; their routes are out of the routes file, and it is not known whether the proxy has loaded that.${then}`,
    },
  }
}

const OPENED = {
  activate: (count: number) => `${count} domains are active and deployed.`,
  deploy: (count: number) => `Deployed ${count} domains.`,
}

const CLOSED = {
  deactivate: (count: number) => `${count} domains are inactive`,
  disable: (count: number) => `${count} domains are disabled for good`,
  delete: (count: number) => `Deleted ${count} domains`,
}
