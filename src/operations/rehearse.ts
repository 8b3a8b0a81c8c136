/** A change as it would be: the same work, rolled back, and a plan of what it would do. */
import { withRows } from '../engine/editions/editions.ts'
import type { PlanRequest } from '../engine/plan.ts'
import { firstOf } from '../kernel/async/first-of.ts'
import type { Intent } from '../model/intent.ts'
import { type GuardHit, type Plan, type PlanScope, type RefusedRow, sealPlan } from '../model/plan.ts'
import { UNDECIDED } from '../model/undecided.ts'
import { assertRules, rehearseIntent, type Transaction } from './change-intent.ts'
import type { Change, Work } from './commit.ts'
import { cacheRemarks } from '../features/deploy/cache-remarks.ts'
import type { Caller, Deps } from './deps.ts'
import { carriedRemarks } from '../features/ddns/hosts/carried-remarks.ts'
import { dnsPlanRemarks } from '../features/dns/records/plan-remarks.ts'
import { lookForAccounts } from '../features/dns/zones/unread-accounts.ts'
import { outranking } from '../features/routes/proxy/outranked/guard.ts'
import { planRemarks } from '../features/routes/proxy/plan-remarks.ts'
import { releasableAmong } from './releasable.ts'
import { liveFields, recordRemarks } from './record-remarks.ts'
import { remarksOnMoves } from '../features/sso/sign-in/sign-in-remarks.ts'

const CALL: PlanScope = { kind: 'call' }

/** The change and its plan, with nothing left of either. */
export async function rehearse<R>(
  deps: Deps,
  caller: Caller,
  work: Work<R>,
  scope: PlanScope = CALL,
): Promise<{ result: R; plan: Plan }> {
  const whole = await rehearseIntent(deps, (transaction) => worked(deps, transaction, work))
  const hindered = await hinderedAmong(deps, work, whole, caller.signal)
  const { change, refused } = settled(deps, work, without(whole, hindered), {
    released: await deps.store.intent('released'),
    refused: hindered,
  })
  const rows = change.release ?? []
  const moves = await remarksOnMoves(deps, rows, caller.signal)
  const outranked = await outranking(deps, change, caller.signal)
  const in_the_way = change.release === null ? [] : await planRemarks(deps, rows, caller.signal)
  const warnings = [
    ...change.warnings,
    ...firstOf(in_the_way),
    ...firstOf(moves),
    ...(await recordRemarks(deps, [...liveFields(rows.map(({ row }) => row)), ...(change.saves ?? [])])),
    ...firstOf(cacheRemarks(rows)),
    ...firstOf(await dnsPlanRemarks(deps, rows)),
    ...outranked.warnings,
  ]
  const only_saves = change.only_saves === true
  const unread = only_saves ? [] : await unreadPlaces(deps, { scope, rows }, caller.signal)
  const request = {
    scope,
    rows,
    warnings,
    refused,
    unread,
    only_saves,
    ...(change.actions && { actions: change.actions }),
  }
  const plan = await deps.engine.plan(request, caller.signal)
  const not_whole = work.opens === 'one' ? refused.map(wholeOrNot) : []
  const guards = [...undecidedGuards(deps, change), ...not_whole, ...outranked.guards]
  if (guards.length === 0) return { result: change.result, plan }
  const inputs = [...plan.inputs, ...outranked.inputs]
  return { result: change.result, plan: sealPlan({ ...plan, guards: [...plan.guards, ...guards], inputs }) }
}

/** What `assertNewest` would throw of a world that is newer. */
function undecidedGuards({ engine }: Deps, { goes_on }: Change<unknown>): readonly GuardHit[] {
  if (goes_on === 'waiting' || engine.world.trouble() === null) return []
  return [{ rule: 'restored_from_backup', message: UNDECIDED, confirmable: false }]
}

async function unreadPlaces(
  deps: Deps,
  { scope, rows }: Pick<PlanRequest, 'scope' | 'rows'>,
  signal: AbortSignal,
): Promise<NonNullable<PlanRequest['unread']>> {
  if (scope.kind === 'component' && scope.component !== 'dns') return []
  const prospect = withRows(await deps.store.intent('released'), rows)
  const accounts = await lookForAccounts(deps, prospect, signal)
  return accounts.map((account) => ({ component: 'dns', ...account }))
}

/** The work, and the rules over what it releases. */
export async function worked<R>(deps: Deps, { tx, at }: Transaction, work: Work<R>): Promise<Change<R>> {
  const change = await work(tx, at)
  if (change.release === null) return change
  await assertRules(deps, tx, change.release)
  const carried = await carriedRemarks(tx, change.release)
  return carried.length === 0 ? change : { ...change, warnings: [...change.warnings, ...carried] }
}

/** What of the work cannot be carried out whole, asked of the world before anything is written. */
export async function refusedNow<R>(
  deps: Deps,
  caller: Caller,
  work: Work<R>,
): Promise<readonly RefusedRow[]> {
  if (work.opens === undefined) return []
  const change = await rehearseIntent(deps, (transaction) => worked(deps, transaction, work))
  return hinderedAmong(deps, work, change, caller.signal)
}

interface Ground {
  readonly released: Intent
  /** What is left out already. */
  readonly refused: readonly RefusedRow[]
}

/** Of several records: without those that must not be deployed beside what stays, since others are left out. */
export function settled<R>(
  { offer }: Pick<Deps, 'offer'>,
  { opens }: Work<unknown>,
  change: Change<R>,
  { released, refused }: Ground,
): { readonly change: Change<R>; readonly refused: readonly RefusedRow[] } {
  if (opens !== 'each' || change.release === null) return { change, refused }
  const left = releasableAmong(released, change.release, offer)
  return { change: { ...change, release: left.rows }, refused: [...refused, ...left.refused] }
}

const hinderedAmong = async (
  { engine }: Deps,
  { opens }: Work<unknown>,
  { release }: Change<unknown>,
  signal: AbortSignal,
): Promise<readonly RefusedRow[]> =>
  opens === undefined || release === null
    ? []
    : engine.hindrances({ rows: release, all: opens === 'one' }, signal)

/** The change as it is carried out while these records stay as they are. */
export function without<R>(change: Change<R>, refused: readonly RefusedRow[]): Change<R> {
  if (refused.length === 0 || change.release === null) return change
  // By name: a record that was rehearsed to be created may get another id.
  const names = new Set(refused.map(({ domain }) => domain))
  return { ...change, release: change.release.filter(({ row }) => !names.has(row?.fields.domain ?? '')) }
}

const wholeOrNot = ({ message }: RefusedRow): GuardHit => ({ rule: 'not_whole', message, confirmable: false })
