/**
 * The one way in which intent changes: record, audit row and release in a single transaction.
 *
 * A dry run is the same work, rolled back, and then planned: it meets every rule and constraint that the real call would
 * meet, and nothing else can drift apart from it. A guard over what would move refuses the real call with that plan; its
 * hash typed back (`confirm`) lets the very same plan through, once.
 */
import { OF_NO_RECORD } from '../audit/facts.ts'
import type { Instant } from '../../kernel/clock.ts'
import { isAsPlanned } from '../../engine/editions/planned-rows.ts'
import { othersTurn } from '../../kernel/async/others-turn.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Intent } from '../../model/intent.ts'
import type { GuardHit, GuardRule, Plan, PlannedRow, RefusedRow } from '../../model/plan.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ReleaseHead } from '../../ports/records/trails.ts'
import { audited, auditEntry, type AuditContext } from '../audit/entries.ts'
import { changeIntent, TakenBack, type Transaction } from './change-intent.ts'
import type { Caller } from '../caller.ts'
import type { CommitParts } from './parts.ts'
import { renamedBy } from '../../engine/editions/renamed.ts'
import { nameMoved, naming } from './named-work.ts'
import { assertShown, examined, type Finding } from './examine.ts'
import type { AppliedPlan, Change, Committed, Work } from './change.ts'
import type { Ended } from './hooks.ts'
import { refusedNow, rehearse, type Rehearsed, settled, without, worked } from './rehearse.ts'
import { recordWarnings } from './warnings.ts'

export async function commit<R>(
  parts: CommitParts,
  caller: Caller,
  given: Work<R>,
  applied: AppliedPlan | null = null,
): Promise<Committed<R>> {
  const work = naming(caller, given)
  if (caller.dry_run) {
    const { result, plan } = await rehearse(parts, caller, work)
    return { planned: true, result, plan }
  }
  await parts.engine.world.lookAgain()
  const shown = applied ?? (await confirmedPlan(parts, caller, work))
  const hindered = shown?.held ?? (await refusedNow(parts, caller, work))
  if (work.opens === 'one' && hindered.length > 0) throw await notWhole(parts, caller, hindered)
  const attempt = { work, caller, applied, shown, hindered }
  try {
    const made = await examined(parts.hooks(), caller.signal, (finding) =>
      changeIntent(parts, (transaction) => make(parts, transaction, attempt, finding)),
    )
    return await committed(parts, caller, made)
  } catch (error) {
    if (!(error instanceof Guarded)) throw error
    throw await refusal(parts, caller, shown?.plan ?? (await rehearse(parts, caller, work)).plan, error.hits)
  }
}

interface Attempt<R> {
  readonly work: Work<R>
  readonly caller: Caller
  /** A stored plan that is carried out. */
  readonly applied: AppliedPlan | null
  /** What the caller has seen of it, and holds it to. */
  readonly shown: Shown | null
  /** What stays as it is, since it cannot be carried out whole. */
  readonly hindered: readonly RefusedRow[]
}

interface Made<R> extends Pick<Extract<Committed<R>, { planned: false }>, 'head' | 'refused' | 'renamed'> {
  readonly change: Change<R>
  /** What was found of it outside. */
  readonly found: readonly string[]
  readonly ended: readonly Ended[]
}

/** All of it within one transaction. Throws `Guarded`, `conflict` and what the work throws. */
async function make<R>(
  parts: CommitParts,
  { tx, at }: Transaction,
  { work, caller, applied, shown, hindered }: Attempt<R>,
  finding: Finding,
): Promise<Made<R>> {
  const plan = shown?.plan ?? null
  const whole = without(await worked(parts, { tx, at }, work), hindered)
  const released = await tx.intent('released')
  const { change, refused } = settled(parts, work, whole, { released, refused: hindered })
  const moving = change.release ?? []
  // Of thousands each step takes its time, and who calls meanwhile does not wait for all of them.
  const turn = () => othersTurn(released.rows.length + moving.length)
  await turn()
  assertNewest(parts, change)
  const lifted = plan === null ? [] : await liftedRules(tx, plan, caller, at)
  if (shown !== null) assertPlanned(shown, change, released)
  const found = standGuard(parts, change, { released, lifted, finding, plan })
  await turn()
  const renamed = renamedBy(moving, released)
  nameMoved(caller, moving, released)
  // Open until its new name stands, as an activation is: what a crash cuts off is decided by the next start.
  for (const { after } of renamed) await tx.openActivation(after.domain_id, at)
  const plan_hash = plan?.hash ?? null
  const head =
    change.release === null ? null : await parts.engine.release(tx, releaseOf(change, caller, plan_hash))
  if (applied !== null) await claim(tx, applied.id, at, head)
  const made = { audit: change.audit, moving, released, at, actor: caller.actor.name }
  const ended: Ended[] = []
  for (const hook of parts.hooks()) {
    if (hook.ended === undefined) continue
    await turn()
    ended.push(await hook.ended(tx, made))
  }
  for (const facts of [...audited(change, refused), ...ended.flatMap(({ audit }) => audit)])
    await tx.audit(auditEntry(facts, { caller, at, plan_hash }))
  return { change, head, found, renamed, refused, ended }
}

/** Once it is durable: whoever keeps something in memory follows, and the world is told. */
async function committed<R>(
  parts: CommitParts,
  { signal }: Caller,
  { change, head, found, renamed, refused, ended }: Made<R>,
): Promise<Committed<R>> {
  if (head !== null) parts.engine.onReleased()
  for (const one of ended) one.durable()
  const untold = change.closes === true ? await tellWorld(parts, signal) : []
  const of_records = await recordWarnings(parts, change.saves ?? [], change.moves)
  const of_ended = ended.flatMap((one) => one.warnings)
  const warnings = [...change.warnings, ...of_ended, ...of_records, ...found, ...untold]
  return { planned: false, result: change.result, head, warnings, refused, renamed }
}

/** What is saved into an older database would be lost, or would be missing, whichever side is taken. */
function assertNewest({ engine }: CommitParts, { goes_on }: Change<unknown>): void {
  if (goes_on === undefined) engine.world.assertKnownAndWhole()
  if (goes_on === 'unread') engine.world.assertWhole()
}

/** It is done and durable, whether or not the world can be told of it. While it waits, the decision tells it. */
async function tellWorld({ engine, log }: CommitParts, signal: AbortSignal): Promise<readonly string[]> {
  if (engine.world.failure() !== null) return []
  try {
    await engine.world.announce(signal)
    return []
  } catch (error) {
    log.warn('the world was not told of a change', { error })
    return ['No file of the world could be told of it: a database from before would not be noticed as older.']
  }
}

/** Thrown inside the transaction when a guard stands in the way. */
class Guarded extends TakenBack {
  readonly hits: readonly GuardHit[]

  constructor(hits: readonly GuardHit[]) {
    super('guarded')
    this.hits = hits
  }
}

interface Standing {
  readonly released: Intent
  readonly lifted: readonly string[]
  readonly finding: Finding
  readonly plan: Plan | null
}

function standGuard(
  parts: CommitParts,
  change: Change<unknown>,
  { released, lifted, finding, plan }: Standing,
): readonly string[] {
  const { release, guards: own = [] } = change
  if (release === null && own.length === 0) return []
  const { guards, warnings, inputs } = finding(released, change)
  const hits = [...parts.engine.releaseGuards(released, release ?? []), ...own, ...guards]
  const standing = hits.filter(({ rule }) => !lifted.includes(rule))
  if (standing.length > 0) throw new Guarded(standing)
  if (plan !== null) assertShown(parts.hooks(), plan, inputs)
  return warnings
}

type Shown = Pick<Rehearsed<unknown>, 'plan' | 'values' | 'held'>

/** The plan whose hash the caller types back, or null when none is typed. Throws `conflict` when it is another one now. */
async function confirmedPlan<R>(parts: CommitParts, caller: Caller, work: Work<R>): Promise<Shown | null> {
  if (caller.confirm === null) return null
  const shown = await rehearse(parts, caller, work)
  assertConfirmed(shown.plan, caller.confirm)
  return shown
}

/** Throws `conflict`, with the plan as it is now, where that is not what the caller has seen. */
export function assertConfirmed(plan: Plan, confirm: string): void {
  if (plan.hash === confirm) return
  const words = `Nothing was changed: that is not the hash of the plan as of now, which is ${plan.hash}. Either something has changed since, or the hash is of another command. Look at the plan before you confirm it.`
  throw new Failure('conflict', words, { facts: { plan } })
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
function assertPlanned(shown: Shown, change: Change<unknown>, released: Intent): void {
  if (isAsPlanned(shown, change, released)) return
  throw new Failure('conflict', 'What it is about was changed after the plan was made. Plan again.')
}

async function claim(tx: StoreWriter, id: string, at: Instant, head: ReleaseHead | null): Promise<void> {
  const release = head?.number ?? (await tx.latestRelease())?.number ?? 0
  if (!(await tx.claimPlan(id, at, release)))
    throw new Failure('conflict', `Plan ${id} is applied already.`, { facts: { plan_id: id } })
}

/** A record that cannot be carried out whole is left as it is; the refusal itself is audited. */
export async function notWhole(
  parts: Pick<CommitParts, 'store' | 'clock'>,
  caller: Caller,
  refused: readonly RefusedRow[],
): Promise<Failure> {
  const [{ code, message }] = refused as readonly [RefusedRow]
  await auditRefusal(
    parts,
    { caller, plan_hash: null },
    { rules: ['not_whole'], of: refused, because: message },
  )
  return new Failure(code, `${message} Nothing was changed.`, { facts: { refused } })
}

/** Says which rules refuse, with their figures, and what would lift them. The refusal itself is audited. */
export async function refusal(
  parts: CommitParts,
  caller: Caller,
  plan: Plan,
  hits: readonly GuardHit[],
): Promise<Failure> {
  const rules = hits.map(({ rule }) => rule)
  const because = hits.map(({ message }) => message).join(' ')
  await auditRefusal(parts, { caller, plan_hash: plan.hash }, { rules, of: plan.rows, because })
  const remedy = hits.every(({ confirmable }) => confirmable)
    ? ` Repeat the call with confirm=${plan.hash} if that is meant.`
    : ''
  return new Failure('refused_by_guard', `${because}${remedy}`, {
    facts: { guards: hits, plan_hash: plan.hash, plan },
  })
}

type Refusing = Readonly<{ rules: readonly GuardRule[]; of: readonly Named[]; because: string }>
type Named = Pick<PlannedRow, 'domain' | 'renamed_from'>

/** With the domain, where it is about one; a record that was to be created has no id. */
async function auditRefusal(
  parts: Pick<CommitParts, 'store' | 'clock'>,
  context: Omit<AuditContext, 'at'>,
  { of, ...detail }: Refusing,
): Promise<void> {
  const [domain = null, ...others] = new Set(of.map((one) => one.renamed_from ?? one.domain))
  const facts = { ...OF_NO_RECORD, domain: others.length > 0 ? null : domain, action: 'refused', detail }
  await parts.store.write((tx) => tx.audit(auditEntry(facts, { ...context, at: parts.clock.now() })))
}

const releaseOf = (change: Change<unknown>, { actor }: Caller, plan_hash: string | null) => ({
  actor: actor.name,
  request_id: actor.request_id,
  reason: change.reason,
  plan_hash,
  warnings: change.warnings,
  rows: change.release ?? [],
})
