/**
 * A record with another name: the old one stays until the new one stands. Its name is taken first; where the world refuses
 * that for a reason that nobody could know before, the old row is released again and the record says why.
 */
import { Failure } from '../../kernel/failure.ts'
import { isLive } from '../../model/domain.ts'
import type { IntentRow } from '../../model/intent.ts'
import { nextStatus } from '../../model/lifecycle.ts'
import type { RefusedRow } from '../../model/plan.ts'
import { failureFor, type Report } from '../../model/report.ts'
import type { ReleaseHead } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'

export interface Renames {
  /** As they were deployed before. */
  readonly renamed: readonly IntentRow[]
  /** The release that gave them their new names. */
  readonly head: ReleaseHead
}

/** The new name may lie in another zone than the old one, which then waits for it. */
const MOST_ROUNDS = 3

/** Those that went back, each with the reason. What cannot be told yet, such as work that takes long, goes on. */
export async function takeNames(deps: Deps, { renamed, head }: Renames): Promise<readonly RefusedRow[]> {
  const ids = renamed.map(({ domain_id }) => domain_id)
  let reports: readonly Report[] = []
  for (let round = 0; round < MOST_ROUNDS; round++) {
    reports = await deps.engine.converge('open', { component: 'dns', domain_ids: ids })
    if (!reports.some(({ outcome }) => outcome === 'left_unfinished')) break
  }
  const refused = renamed.flatMap((row) => {
    const failures = reports.flatMap((report) => failureFor(report, [row.domain_id]) ?? [])
    return failures[0] === undefined ? [] : [{ row, why: failures[0].message }]
  })
  const back = await Promise.all(refused.map(({ row, why }) => putBack(deps, { row, why, head })))
  return back.flat()
}

interface Refused {
  readonly row: IntentRow
  readonly why: string
  readonly head: ReleaseHead
}

/** Nothing where somebody has deployed the record meanwhile: that is the last word then. */
async function putBack(deps: Deps, { row, why, head }: Refused): Promise<readonly RefusedRow[]> {
  const { store, engine, clock, log } = deps
  const { domain_id, fields } = row
  const actor = { actor: 'reconciler', request_id: head.request_id }
  const done = await store.write(async (tx) => {
    const now = (await tx.intent('released')).rows.find((one) => one.domain_id === domain_id)
    const record = await tx.domain(domain_id)
    if (now?.live !== true || record === null || !isLive(record) || now.revision !== record.revision)
      return null
    const message = `${why} ${fields.domain} stays as it is.`
    const reason = `${now.fields.domain} was refused; back to ${fields.domain}`
    await engine.release(tx, { ...actor, reason, plan_hash: null, warnings: [], rows: [{ domain_id, row }] })
    await tx.judgeDomain(domain_id, nextStatus(record.status, 'refused')!, message)
    await tx.audit({
      ...actor,
      at: clock.now(),
      action: 'go_back',
      domain_id,
      domain: record.domain,
      revision_before: record.revision,
      revision_after: row.revision,
      plan_hash: null,
      detail: { release: head.number, to: fields.domain, because: why },
    })
    return { domain_id, domain: now.fields.domain, code: 'provider_refused' as const, message }
  })
  if (done === null) return []
  engine.woken()
  log.warn('a rename was refused and went back', { domain_id, to: fields.domain, because: why })
  return [done]
}

/** What the caller of one such record is told. */
export const wentBack = ({ message }: RefusedRow): Failure =>
  new Failure('provider_refused', `${message} What was saved is kept; deploy again when the name is free.`)
