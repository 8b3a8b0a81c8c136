/**
 * The one way in which intent changes: record, audit row and release in a single transaction.
 *
 * A dry run is the same work, rolled back, and then planned: it meets every rule and constraint that the real call would
 * meet, and nothing else can drift apart from it.
 */
import type { Instant } from '../kernel/clock.ts'
import type { Plan } from '../model/plan.ts'
import type { AuditEntry, ReleaseHead, ReleaseRow, StoreWriter } from '../ports/store.ts'
import type { Caller, Deps } from './deps.ts'
import { assertReleasable } from './releasable.ts'

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

/** Thrown inside the transaction of a dry run to take everything back. */
class TakenBack<R> extends Error {
  readonly change: Change<R>

  constructor(change: Change<R>) {
    super('dry run')
    this.change = change
  }
}

export async function commit<R>(
  deps: Deps,
  caller: Caller,
  work: (tx: StoreWriter, at: Instant) => Promise<Change<R>>,
): Promise<Committed<R>> {
  if (caller.dry_run) return rehearse(deps, caller, work)
  const { change, head } = await deps.store.write(async (tx) => {
    const at = deps.clock.now()
    const change = await worked(tx, at, work)
    const head = change.release === null ? null : await deps.engine.release(tx, releaseOf(change, caller))
    for (const facts of change.audit) await tx.audit(auditEntry(facts, caller, at))
    return { change, head }
  })
  if (head !== null) deps.engine.woken()
  return { planned: false, result: change.result, head, warnings: change.warnings }
}

async function worked<R>(
  tx: StoreWriter,
  at: Instant,
  work: (tx: StoreWriter, at: Instant) => Promise<Change<R>>,
): Promise<Change<R>> {
  const change = await work(tx, at)
  if (change.release !== null) assertReleasable(await tx.intent('released'), change.release)
  return change
}

async function rehearse<R>(
  deps: Deps,
  caller: Caller,
  work: (tx: StoreWriter, at: Instant) => Promise<Change<R>>,
): Promise<Committed<R>> {
  const change = await deps.store
    .write<Change<R>>(async (tx) => {
      throw new TakenBack(await worked(tx, deps.clock.now(), work))
    })
    .catch((error: unknown) => {
      if (error instanceof TakenBack) return error.change as Change<R>
      throw error
    })
  const scope = { rows: change.release ?? [], warnings: change.warnings }
  return { planned: true, result: change.result, plan: await deps.engine.plan(scope, caller.signal) }
}

const releaseOf = (change: Change<unknown>, { actor }: Caller) => ({
  actor: actor.name,
  request_id: actor.request_id,
  reason: change.reason,
  plan_hash: null,
  warnings: change.warnings,
  rows: change.release ?? [],
})

const auditEntry = (facts: AuditFacts, { actor }: Caller, at: Instant): AuditEntry => ({
  ...facts,
  at,
  actor: actor.name,
  request_id: actor.request_id,
  plan_hash: null,
  detail: facts.detail ?? {},
})
