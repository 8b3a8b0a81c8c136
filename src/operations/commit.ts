/**
 * The one way in which intent changes: record, audit row and release in a single transaction.
 *
 * A dry run is the same work, rolled back, and then planned: it meets every rule and constraint that the real call would
 * meet, and nothing else can drift apart from it. A guard over what would move refuses the real call with that plan; its
 * hash typed back (`confirm`) lets the very same plan through, once.
 */
import type { Instant } from '../kernel/clock.ts'
import { withRows } from '../engine/editions.ts'
import { type PlanRequest, plannedRows } from '../engine/plan.ts'
import { digestOf } from '../kernel/digest.ts'
import { Failure } from '../kernel/failure.ts'
import { firstOf } from '../kernel/first-of.ts'
import { type GuardHit, type Plan, type PlanScope, sealPlan } from '../model/plan.ts'
import { UNDECIDED } from '../model/undecided.ts'
import type { AuditEntry, ReleaseHead, ReleaseRow, StoreWriter } from '../ports/store.ts'
import { assertRules, changeIntent, rehearseIntent, TakenBack, type Transaction } from './change-intent.ts'
import type { Caller, Deps } from './deps.ts'
import { examined, type Examined, type Moving, outranking } from './proxy/outranked/guard.ts'
import { planRemarks } from './proxy/plan-remarks.ts'
import { lookForAccounts } from './dns/unread-accounts.ts'
import { cacheRemarks } from './deploy/cache-remarks.ts'
import { remarksOnMoves } from './sso/sign-in-remarks.ts'

export interface Change<R> {
  readonly result: R
  readonly audit: readonly AuditFacts[]
  /** Rows that move to the released edition; null when the change only saves. */
  readonly release: readonly ReleaseRow[] | null
  /** The release's reason: `activate app.example.com`. */
  readonly reason: string
  readonly warnings: readonly string[]
  /**
   * It takes away what somebody could do, and no outside write of its own follows: the world is told of it at once, or a
   * database that is set back before it would let them in again unnoticed.
   */
  readonly closes?: true
  /**
   * It takes away what somebody can do, so it is done although the database may be older than the world. `unread`: while it
   * is not known how far a place is; its own place says whether it may be written. `waiting`: also while a person is to
   * decide, since nothing outside is written for it and it stands whichever side is taken.
   */
  readonly goes_on?: 'unread' | 'waiting'
  /** What is done outside though no row moves. */
  readonly actions?: PlanRequest['actions']
  /** Routers of others that what it releases stands for. */
  readonly replaces?: Moving['replaces'] | undefined
}

export type AuditFacts = Pick<
  AuditEntry,
  'action' | 'domain_id' | 'domain' | 'revision_before' | 'revision_after'
> & {
  readonly detail?: Readonly<Record<string, unknown>>
}

export type Committed<R> =
  | {
      readonly planned: false
      readonly result: R
      readonly head: ReleaseHead | null
      readonly warnings: readonly string[]
    }
  | { readonly planned: true; readonly result: R; readonly plan: Plan }

export type Work<R> = (tx: StoreWriter, at: Instant) => Promise<Change<R>>

/** A stored plan that is being applied: exactly as it was, and at most once. */
export interface AppliedPlan {
  readonly id: string
  readonly plan: Plan
}

const CALL: PlanScope = { kind: 'call' }

export async function commit<R>(
  deps: Deps,
  caller: Caller,
  work: Work<R>,
  applied?: AppliedPlan,
): Promise<Committed<R>> {
  if (caller.dry_run) return { planned: true, ...(await rehearse(deps, caller, work)) }
  await deps.engine.world.lookAgain()
  const plan = applied?.plan ?? (await confirmedPlan(deps, caller, work))
  try {
    const { change, head, found } = await examined(deps, caller.signal, (outranks) =>
      changeIntent(deps, async ({ tx, at }) => {
        const change = await worked(deps, { tx, at }, work)
        assertNewest(deps, change)
        const lifted = plan === null ? [] : await liftedRules(tx, plan, caller, at)
        if (plan !== null) await assertPlanned(tx, plan, change)
        const found = await standGuard(deps, tx, change, { lifted, outranks })
        const hash = plan?.hash ?? null
        const head =
          change.release === null ? null : await deps.engine.release(tx, releaseOf(change, caller, hash))
        if (applied !== undefined) await claim(tx, applied.id, at, head)
        for (const facts of change.audit) await tx.audit(auditEntry(facts, { caller, at, plan_hash: hash }))
        return { change, head, found }
      }),
    )
    if (head !== null) deps.engine.woken()
    const untold = change.closes === true ? await tellWorld(deps, caller.signal) : []
    const warnings = [...change.warnings, ...found, ...untold]
    return { planned: false, result: change.result, head, warnings }
  } catch (error) {
    if (!(error instanceof Guarded)) throw error
    throw await refusal(deps, caller, plan ?? (await rehearse(deps, caller, work)).plan, error.hits)
  }
}

/** What is saved into an older database would be lost, or would be missing, whichever side is taken. */
function assertNewest({ engine }: Deps, { goes_on }: Change<unknown>): void {
  if (goes_on === undefined) engine.world.assertKnownAndWhole()
  if (goes_on === 'unread') engine.world.assertWhole()
}

/** It is done and durable, whether or not the world can be told of it. While it waits, the decision tells it. */
async function tellWorld({ engine, log }: Deps, signal: AbortSignal): Promise<readonly string[]> {
  if (engine.world.trouble() !== null) return []
  try {
    await engine.world.told(signal)
    return []
  } catch (error) {
    log.warn('the world was not told of a change', { error })
    return ['No file of the world could be told of it: a database from before would not be noticed as older.']
  }
}

/** The change and its plan, with nothing left of either. */
export async function rehearse<R>(
  deps: Deps,
  caller: Caller,
  work: Work<R>,
  scope: PlanScope = CALL,
): Promise<{ result: R; plan: Plan }> {
  const change = await rehearseIntent(deps, (transaction) => worked(deps, transaction, work))
  const rows = change.release ?? []
  const moves = await remarksOnMoves(deps, rows, caller.signal)
  const outranked = await outranking(deps, change, caller.signal)
  const in_the_way = change.release === null ? [] : await planRemarks(deps, caller.signal)
  const warnings = [
    ...change.warnings,
    ...firstOf(in_the_way),
    ...firstOf(moves),
    ...firstOf(cacheRemarks(rows)),
    ...outranked.warnings,
  ]
  const unread = await unreadPlaces(deps, { scope, rows }, caller.signal)
  const request = { scope, rows, warnings, unread, ...(change.actions && { actions: change.actions }) }
  const plan = await deps.engine.plan(request, caller.signal)
  const guards = [...undecidedGuards(deps, change), ...outranked.guards]
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

/** Thrown inside the transaction when a guard stands in the way. */
class Guarded extends TakenBack {
  readonly hits: readonly GuardHit[]

  constructor(hits: readonly GuardHit[]) {
    super('guarded')
    this.hits = hits
  }
}

async function worked<R>(deps: Deps, { tx, at }: Transaction, work: Work<R>): Promise<Change<R>> {
  const change = await work(tx, at)
  if (change.release !== null) await assertRules(deps, tx, change.release)
  return change
}

async function standGuard(
  deps: Deps,
  tx: StoreWriter,
  change: Change<unknown>,
  { lifted, outranks }: { readonly lifted: readonly string[]; readonly outranks: Examined },
): Promise<readonly string[]> {
  if (change.release === null) return []
  const released = await tx.intent('released')
  const { guards, warnings } = outranks(released, change)
  const hits = [...deps.engine.releaseGuards(released, change.release), ...guards]
  const standing = hits.filter(({ rule }) => !lifted.includes(rule))
  if (standing.length > 0) throw new Guarded(standing)
  return warnings
}

/** The plan whose hash the caller types back, or null when none is typed. Throws `conflict` when it is another one now. */
async function confirmedPlan<R>(deps: Deps, caller: Caller, work: Work<R>): Promise<Plan | null> {
  if (caller.confirm === null) return null
  const { plan } = await rehearse(deps, caller, work)
  if (plan.hash === caller.confirm) return plan
  throw new Failure(
    'conflict',
    `The plan has changed since: it is ${plan.hash} now. Look at it before you confirm it.`,
    {
      facts: { plan },
    },
  )
}

/** Rules that this caller's confirmation lifts. Uses it up. Throws `conflict` when the ground has moved under the plan. */
async function liftedRules(
  tx: StoreWriter,
  plan: Plan,
  caller: Caller,
  at: Instant,
): Promise<readonly string[]> {
  const base = (await tx.latestRelease())?.number ?? 0
  if (base !== plan.base_release)
    throw new Failure(
      'conflict',
      `Release ${base} came after the plan, which starts from ${plan.base_release}. Plan again.`,
    )
  if (caller.confirm !== plan.hash || plan.guards.length === 0) return []
  const rules = plan.guards.filter(({ confirmable }) => confirmable).map(({ rule }) => rule)
  const { name: actor, request_id } = caller.actor
  if (await tx.useConfirmation({ hash: plan.hash, at, actor, request_id, rules })) return rules
  throw new Failure('conflict', 'This confirmation was used before. Plan again.')
}

/** Saving is not releasing, so the base release says nothing of edits that came since: the rows themselves do. */
async function assertPlanned(tx: StoreWriter, plan: Plan, { release }: Change<unknown>): Promise<void> {
  const rows = plannedRows(release ?? [], await tx.intent('released'))
  if (digestOf(rows) === digestOf(plan.rows)) return
  throw new Failure('conflict', 'A record was changed after the plan was made. Plan again.')
}

async function claim(tx: StoreWriter, id: string, at: Instant, head: ReleaseHead | null): Promise<void> {
  const release = head?.number ?? (await tx.latestRelease())?.number ?? 0
  if (!(await tx.claimPlan(id, at, release)))
    throw new Failure('conflict', `Plan ${id} is applied already.`, { facts: { plan_id: id } })
}

/** Says which rules refuse, with their figures, and what would lift them. The refusal itself is audited. */
async function refusal(deps: Deps, caller: Caller, plan: Plan, hits: readonly GuardHit[]): Promise<Failure> {
  const rules = hits.map(({ rule }) => rule)
  const nobody = {
    action: 'refused',
    domain_id: null,
    domain: null,
    revision_before: null,
    revision_after: null,
  }
  const context = { caller, at: deps.clock.now(), plan_hash: plan.hash }
  await deps.store.write((tx) => tx.audit(auditEntry({ ...nobody, detail: { rules } }, context)))
  const remedy = hits.every(({ confirmable }) => confirmable)
    ? ` Repeat the call with confirm=${plan.hash} if that is meant.`
    : ''
  return new Failure('refused_by_guard', `${hits.map(({ message }) => message).join(' ')}${remedy}`, {
    facts: { guards: hits, plan_hash: plan.hash, plan },
  })
}

const releaseOf = (change: Change<unknown>, { actor }: Caller, plan_hash: string | null) => ({
  actor: actor.name,
  request_id: actor.request_id,
  reason: change.reason,
  plan_hash,
  warnings: change.warnings,
  rows: change.release ?? [],
})

interface AuditContext {
  readonly caller: Caller
  readonly at: Instant
  readonly plan_hash: string | null
}

const auditEntry = (facts: AuditFacts, { caller, at, plan_hash }: AuditContext): AuditEntry => ({
  ...facts,
  at,
  actor: caller.actor.name,
  request_id: caller.actor.request_id,
  plan_hash,
  detail: facts.detail ?? {},
})
