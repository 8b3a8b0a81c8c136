/** A change as it would be: the same work, rolled back, and a plan of what it would do. */
import { withRows } from '../../engine/editions/editions.ts'
import type { PlanRequest } from '../../engine/plan.ts'
import type { Intent } from '../../model/intent.ts'
import { type GuardHit, type Plan, type PlanScope, type RefusedRow, sealPlan } from '../../model/plan.ts'
import { UNDECIDED } from '../../model/undecided.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'
import { assertRules, rehearseIntent, type Transaction } from './change-intent.ts'
import type { Change, Work } from './change.ts'
import type { Caller } from '../caller.ts'
import type { CommitParts } from './parts.ts'
import { examine } from './examine.ts'
import { valuesOf } from '../../engine/editions/planned-rows.ts'
import { releasableAmong } from '../../engine/editions/releasable.ts'
import { eachWarning, liveFields, recordWarnings } from './warnings.ts'

const CALL: PlanScope = { kind: 'call' }

export interface Rehearsed<R> {
  readonly result: R
  readonly plan: Plan
  /** Digest of what it would save. */
  readonly values: string
  /** What is not released, since it could not be carried out whole; the plan also tells what the world refuses to others. */
  readonly held: readonly RefusedRow[]
}

/** The change and its plan, with nothing left of either. */
export async function rehearse<R>(
  parts: CommitParts,
  caller: Caller,
  work: Work<R>,
  scope: PlanScope = CALL,
): Promise<Rehearsed<R>> {
  const whole = await rehearseIntent(parts, (transaction) => worked(parts, transaction, work))
  const hindered = await hinderedAmong(parts, work, whole, caller.signal)
  const released = await parts.store.intent('released')
  const ground = { released, refused: hindered }
  const { change, refused } = settled(parts, work, without(whole, hindered), ground)
  const rows = change.release ?? []
  const hooks = parts.hooks()
  const examined = await examine(hooks, { released, moving: change }, caller.signal)
  const warnings = [
    ...change.warnings,
    ...(await eachWarning(hooks, rows.length, (one) => one.planned?.(change.release, caller.signal))),
    ...(await recordWarnings(
      parts,
      [...liveFields(rows.map(({ row }) => row)), ...(change.saves ?? [])],
      // What it releases it brings out whole.
      rows.length === 0 ? change.moves : undefined,
    )),
    ...examined.warnings,
  ]
  const about = (whole.release ?? []).flatMap(({ row }) => row ?? [])
  const reach = whole.reach ?? { records: (whole.release ?? []).map(({ domain_id }) => domain_id) }
  const unread = await unreadPlaces(parts, { reach, rows }, caller.signal)
  const values = valuesOf(change)
  const request = {
    scope,
    values,
    rows,
    warnings,
    refused,
    unread,
    reach,
    about,
    is_refused: work.opens === 'one' && refused.length > 0,
    tells_refused: work.opens !== 'one',
    ...(change.actions && { actions: change.actions }),
    mode: change.mode,
  }
  const plan = await parts.engine.plan(request, caller.signal)
  const not_whole = work.opens === 'one' ? refused.map(wholeOrNot) : []
  const guards = [...ownGuards(parts, change), ...not_whole, ...examined.guards]
  const { result } = change
  if (guards.length === 0) return { result, plan, values, held: refused }
  const inputs = [...plan.inputs, ...examined.inputs]
  const guarded = sealPlan({ ...plan, guards: [...plan.guards, ...guards], inputs }, values)
  return { result, plan: guarded, values, held: refused }
}

/** Its own, and what `assertNewest` would throw of a world that is newer. */
function ownGuards({ engine }: CommitParts, { goes_on, guards = [] }: Change<unknown>): readonly GuardHit[] {
  if (goes_on === 'waiting' || engine.world.failure() === null) return guards
  return [...guards, { rule: 'restored_from_backup', message: UNDECIDED, confirmable: false }]
}

async function unreadPlaces(
  { store, hooks }: CommitParts,
  { reach, rows }: Pick<PlanRequest, 'reach' | 'rows'>,
  signal: AbortSignal,
): Promise<NonNullable<PlanRequest['unread']>> {
  const { records, component = null, except } = reach
  if (records !== 'all' && records.length === 0) return []
  const prospect = withRows(await store.intent('released'), rows)
  const asked = await Promise.all(hooks().map(async (one) => one.unread?.(prospect, component, signal)))
  return asked.flatMap((places) =>
    (places ?? []).filter((place) => except?.includes(place.component) !== true),
  )
}

/** The work, and the rules over what it releases. */
export async function worked<R>(
  parts: CommitParts,
  { tx, at }: Transaction,
  work: Work<R>,
): Promise<Change<R>> {
  const change = await work(tx, at)
  if (change.release === null) return change
  await assertRules(parts, tx, change.release)
  const carried: string[] = []
  for (const one of parts.hooks()) carried.push(...((await one.carried?.(tx, change.release)) ?? []))
  return carried.length === 0 ? change : { ...change, warnings: [...change.warnings, ...carried] }
}

/** What of the work cannot be carried out whole, asked of the world before anything is written. */
export async function refusedNow<R>(
  parts: CommitParts,
  caller: Caller,
  work: Work<R>,
): Promise<readonly RefusedRow[]> {
  if (work.opens === undefined) return []
  const change = await rehearseIntent(parts, (transaction) => worked(parts, transaction, work))
  return hinderedAmong(parts, work, change, caller.signal)
}

interface Ground {
  readonly released: Intent
  /** What is left out already. */
  readonly refused: readonly RefusedRow[]
}

/** Of several records: without those that must not be deployed beside what stays, since others are left out. */
export function settled<R>(
  { offer }: Pick<CommitParts, 'offer'>,
  { opens }: Work<unknown>,
  change: Change<R>,
  { released, refused }: Ground,
): { readonly change: Change<R>; readonly refused: readonly RefusedRow[] } {
  if (opens !== 'each' || change.release === null) return { change, refused }
  const left = releasableAmong(released, change.release, offer, refused)
  return { change: { ...change, release: left.rows }, refused: [...refused, ...left.refused] }
}

const hinderedAmong = async (
  { engine }: CommitParts,
  { opens }: Work<unknown>,
  { release }: Change<unknown>,
  signal: AbortSignal,
): Promise<readonly RefusedRow[]> =>
  opens === undefined || release === null
    ? []
    : engine.hindrances({ rows: release, all: opens === 'one' }, signal)

/** The change as it is carried out while these records stay as they are. What is taken away under such a name goes all the same. */
export function without<R>(change: Change<R>, refused: readonly RefusedRow[]): Change<R> {
  if (refused.length === 0 || change.release === null) return change
  // By name: a record that was rehearsed to be created may get another id.
  const names = new Set(refused.map(({ domain }) => domain))
  const stays = ({ row }: ReleaseRow) => row?.live === true && names.has(row.fields.domain)
  return { ...change, release: change.release.filter((row) => !stays(row)) }
}

const wholeOrNot = ({ message }: RefusedRow): GuardHit => ({ rule: 'not_whole', message, confirmable: false })
