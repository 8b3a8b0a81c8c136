/**
 * The one way in which intent changes: record, audit row and release in a single transaction.
 *
 * A dry run is the same work, rolled back, and then planned: it meets every rule and constraint that the real call would
 * meet, and nothing else can drift apart from it. A guard over what would move refuses the real call with that plan; its
 * hash typed back (`confirm`) lets the very same plan through, once.
 */
import type { Instant } from '../kernel/clock.ts'
import { plannedRows } from '../engine/plan.ts'
import { digestOf } from '../kernel/digest.ts'
import { Failure, type FailureCode } from '../kernel/failure.ts'
import type { GuardHit, Plan, PlanScope } from '../model/plan.ts'
import type { AuditEntry, ReleaseHead, ReleaseRow, StoreWriter } from '../ports/store.ts'
import type { Caller, Deps } from './deps.ts'
import { assertReleasable } from './releasable.ts'
import { remarksOnMoves } from './sso/sign-in-remarks.ts'

export interface Change<R> {
  readonly result: R
  readonly audit: readonly AuditFacts[]
  /** Rows that move to the released edition; null when the change only saves. */
  readonly release: readonly ReleaseRow[] | null
  /** The release's reason: `activate app.example.com`. */
  readonly reason: string
  readonly warnings: readonly string[]
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

const STORE_TROUBLE: readonly FailureCode[] = ['store_unavailable', 'storage_full', 'storage_unwritable']

const CALL: PlanScope = { kind: 'call' }

export async function commit<R>(
  deps: Deps,
  caller: Caller,
  work: Work<R>,
  applied?: AppliedPlan,
): Promise<Committed<R>> {
  if (caller.dry_run) return { planned: true, ...(await rehearse(deps, caller, work)) }
  const plan = applied?.plan ?? (await confirmedPlan(deps, caller, work))
  try {
    const { change, head } = await deps.store.write(async (tx) => {
      const at = deps.clock.now()
      const change = await worked(deps, { tx, at }, work)
      const lifted = plan === null ? [] : await liftedRules(tx, plan, caller, at)
      if (plan !== null) await assertPlanned(tx, plan, change)
      await standGuard(deps, tx, change, lifted)
      const hash = plan?.hash ?? null
      const head =
        change.release === null ? null : await deps.engine.release(tx, releaseOf(change, caller, hash))
      if (applied !== undefined) await claim(tx, applied.id, at, head)
      for (const facts of change.audit) await tx.audit(auditEntry(facts, { caller, at, plan_hash: hash }))
      return { change, head }
    })
    if (head !== null) deps.engine.woken()
    return { planned: false, result: change.result, head, warnings: change.warnings }
  } catch (error) {
    if (error instanceof Guarded)
      throw await refusal(deps, caller, plan ?? (await rehearse(deps, caller, work)).plan, error.hits)
    // A commit that is reported as an error may have happened all the same (a connection lost while it was under way).
    if (!(error instanceof Failure) || STORE_TROUBLE.includes(error.code)) deps.engine.unsure()
    throw error
  }
}

/** The change and its plan, with nothing left of either. */
export async function rehearse<R>(
  deps: Deps,
  caller: Caller,
  work: Work<R>,
  scope: PlanScope = CALL,
): Promise<{ result: R; plan: Plan }> {
  const change = await deps.store
    .write<Change<R>>(async (tx) => {
      throw new TakenBack(await worked(deps, { tx, at: deps.clock.now() }, work))
    })
    .catch((error: unknown) => {
      if (error instanceof TakenBack) return error.change as Change<R>
      throw error
    })
  const rows = change.release ?? []
  const warnings = [...change.warnings, ...(await remarksOnMoves(deps, rows, caller.signal))]
  const request = { scope, rows, warnings }
  return { result: change.result, plan: await deps.engine.plan(request, caller.signal) }
}

/** Thrown inside the transaction of a dry run to take everything back. */
class TakenBack<R> extends Error {
  readonly change: Change<R>

  constructor(change: Change<R>) {
    super('dry run')
    this.change = change
  }
}

/** Thrown inside the transaction when a guard stands in the way. */
class Guarded extends Error {
  readonly hits: readonly GuardHit[]

  constructor(hits: readonly GuardHit[]) {
    super('guarded')
    this.hits = hits
  }
}

async function worked<R>(
  { offer }: Deps,
  { tx, at }: { readonly tx: StoreWriter; readonly at: Instant },
  work: Work<R>,
): Promise<Change<R>> {
  const change = await work(tx, at)
  if (change.release !== null)
    assertReleasable(await tx.intent('released'), change.release, offer.tls_entrypoint)
  return change
}

async function standGuard(
  deps: Deps,
  tx: StoreWriter,
  { release }: Change<unknown>,
  lifted: readonly string[],
): Promise<void> {
  if (release === null) return
  const hits = deps.engine.releaseGuards(await tx.intent('released'), release)
  const standing = hits.filter(({ rule }) => !lifted.includes(rule))
  if (standing.length > 0) throw new Guarded(standing)
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
