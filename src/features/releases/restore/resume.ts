/**
 * The decision of a person between an older database and a newer world, after which things go on. Until then nothing is
 * written outside. Asked without `confirm` it answers what would be done and the hash; with the hash it is done.
 *
 * Either way the number jumps above the world's, in one transaction with what is taken over: a crash leaves the decision
 * made or not made. Nothing of the database is lost without being named, and where the world is taken, nothing that it
 * knows to be disabled, deleted or revoked comes back.
 */
import { withRows } from '../../../engine/editions/editions.ts'
import { RESUMED, settledNumber } from '../../../engine/world/history.ts'
import { presentedStanding, type UnreadableHolder } from '../../../engine/world/standing.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Intent } from '../../../model/intent.ts'
import type { FileUser } from '../../../ports/users-file.ts'
import type { HolderFiles } from '../../../ports/world-holder.ts'
import type { DeploymentResult } from '../../../core/answers.ts'
import {
  assertRules,
  changeIntent,
  rehearseIntent,
  type Transaction,
} from '../../../core/commit/change-intent.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Deps } from '../deps.ts'
import { adoptOrphans } from '../../dns/records/adopt-orphans.ts'
import { forgetEnded } from '../../ddns/hosts/give-up-hosts.ts'
import { endingWords, lostKeyWarnings } from '../../ddns/hosts/lost-keys.ts'
import { type CarriedOver, carryOver, revokeAll } from './carry-over.ts'
import {
  type Decision,
  decisionOn,
  type Ground,
  type ResumeChanges,
  type Side,
  unsignedText,
} from '../decision.ts'
import { diffEditions, type EditionDiff } from '../diff-editions.ts'
import { lostChecks } from './lost-checks.ts'
import { movesOf, type WorldMoves } from './moves.ts'
import type { RefusedPart } from './views.ts'

export interface ResumePlan {
  readonly planned: true
  readonly take: Side
  readonly message: string
  /** To be typed back. */
  readonly hash: string
  readonly standing: ReturnType<typeof presentedStanding>
  readonly changes: ResumeChanges
  readonly refused: readonly RefusedPart[]
  /** From what is deployed by the side that is not taken; null where that is not known. */
  readonly diff: EditionDiff | null
  readonly outside: Omit<WorldMoves, 'warnings'>
  readonly warnings: readonly string[]
}

export type ResumeAnswer = Omit<DeploymentResult, 'refused'> & {
  readonly planned: false
  readonly take: Side
  /** Of the decision: above every number in the world. */
  readonly number: number
  readonly changes: ResumeChanges
  readonly refused: readonly RefusedPart[]
}

/** Throws `conflict` where nothing is to be decided, where the hash is another one now, and where the world is not known. */
export async function resume(deps: Deps, take: Side, caller: Caller): Promise<ResumePlan | ResumeAnswer> {
  const { world } = deps.engine
  if (world.failure() === null) throw nothingToDecide(world.unreadable())
  const ground = await groundOf(deps, take, caller.signal)
  const decided = await decidedSince(deps.store, ground)
  if (decided !== null) {
    // It was made, and could not be taken up then.
    await world.resumed()
    throw decided
  }
  if (caller.confirm === null || caller.dry_run) return planOf(deps, ground, caller)
  const { decision, warnings, head, number, ended, domain_ids } = await changeIntent(deps, (transaction) =>
    decide(deps, ground, { ...transaction, caller }),
  )
  const { changes, refused } = decision
  for (const one of ended) forgetEnded(deps.ddns, one)
  await world.resumed()
  if (head !== null) deps.engine.onReleased()
  if (changes.people_revoked.length > 0) deps.people.changed()
  deps.events.added()
  deps.log.warn('a person has decided between database and world', { take, number, actor: caller.actor.name })
  const message = `Resumed with the ${take} at change ${number}.`
  const orphans = take === 'world' ? await adoptOrphans(deps, domain_ids, caller) : []
  const deployed = {
    message,
    domain_ids,
    head,
    warnings: [...warnings, ...orphans],
    direction: 'open',
    progress: caller.progress,
    everything: true,
    about: 'every',
    fails: true,
  } as const
  return { ...(await deps.deploy(deployed)), planned: false, take, number, changes, refused }
}

function nothingToDecide(unreadable: readonly UnreadableHolder[]): Failure {
  if (unreadable.length === 0)
    return new Failure('conflict', 'There is nothing to decide: the world is not newer than the database.')
  const because = unreadable.map(({ failure }) => failure.message).join(' ')
  return new Failure('conflict', `It is not known whether there is anything to decide. ${because}`)
}

async function groundOf(deps: Deps, take: Side, signal: AbortSignal): Promise<Ground> {
  const { world } = deps.engine
  const users = await usersIn(deps, signal)
  if (take === 'world') {
    const files = await world.newestHeld(signal)
    if (files.signed === null) throw nothingHeld(files)
    return { take, users, files, unread_because: null, standing: world.standing() }
  }
  const read = await world.newestHeld(signal).then(
    (files) => ({ files, unread_because: null }),
    (error: unknown) => {
      if (!(error instanceof Failure)) throw error
      return { files: null, unread_because: error.message }
    },
  )
  return { take, users, ...read, standing: world.standing() }
}

/** Nobody's name and address is worth stopping for. */
async function usersIn({ people }: Deps, signal: AbortSignal): Promise<ReadonlyMap<string, FileUser>> {
  try {
    return (await people.users?.look(signal))?.users ?? new Map()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return new Map()
  }
}

const nothingHeld = ({ unsigned }: HolderFiles): Failure =>
  new Failure(
    'conflict',
    [
      ...unsigned.map(unsignedText),
      'What the newer database held is in no file beside the world (*.plumbline) that this installation has signed: only ' +
        'its number is known. Put such a file back from a backup of the world, put back the newer database, or take the database.',
    ].join(' '),
    { facts: { unsigned } },
  )

/** All of it but the release itself, and nothing is left of it: a plan that could not be carried out is never answered. */
async function planOf(deps: Deps, ground: Ground, caller: Caller): Promise<ResumePlan> {
  const { decision, rows, sides, warnings } = await rehearseIntent(deps, async ({ tx, at }) => {
    const decision = await decisionOn(tx, deps, ground)
    const carried = await carriedOut(deps, decision, { tx, at, caller })
    await deps.engine.assertRenderable(tx, carried.rows)
    return { decision, ...carried }
  })
  const { take, hash, standing, changes, refused } = decision
  const { warnings: foreseen, ...outside } = await movesOf(deps, { take, rows }, caller.signal)
  const all_warnings = [...warnings, ...foreseen]
  const more = all_warnings.length - NAMED_IN_MESSAGE
  const words = [
    ...all_warnings.slice(0, NAMED_IN_MESSAGE),
    ...(more > 0 ? [`And ${more} more warnings.`] : []),
  ]
  const message = `${[EXPLAINED[take], ...words].join(' ')} Repeat with confirm=${hash} if that is meant.`
  return {
    planned: true,
    take,
    message,
    hash,
    standing: presentedStanding(standing),
    changes,
    refused,
    diff: sides === null ? null : diffEditions(...sides),
    outside,
    warnings: all_warnings,
  }
}

/** An estate has as many warnings as hosts; all of them stand beside the message. */
const NAMED_IN_MESSAGE = 10

const EXPLAINED: Readonly<Record<Side, string>> = {
  database:
    'The database is taken as right: what the newer world has beyond it is undone, also keys and people that were revoked since.',
  world:
    'The world is taken as right: what its files hold comes into the database, and nothing that is off there comes back.',
}

/** Within the transaction, so that nothing can come between what was shown and what is done. */
async function decide(deps: Deps, ground: Ground, context: Context) {
  const { tx, at, caller } = context
  const decided = await decidedSince(tx, ground)
  if (decided !== null) throw decided
  const decision = await decisionOn(tx, deps, ground)
  const { take, standing, changes, refused, hash } = decision
  if (caller.confirm !== hash)
    throw new Failure(
      'conflict',
      `The decision is another one now: ${hash}. Look at it before you confirm it.`,
      {
        facts: { plan_hash: hash, changes, standing: presentedStanding(standing) },
      },
    )
  const world_number = Math.max(...standing.worlds.map(({ stamp }) => stamp.number))
  const { name: actor, request_id } = caller.actor
  const entry = { at, actor, request_id, plan_hash: hash, revision_before: null, revision_after: null }
  const detail = { take, world_number, database_number: standing.database_number, changes, refused }
  const number = await tx.auditAbove(
    { ...entry, action: RESUMED, domain_id: null, domain: null, detail },
    world_number,
  )
  const { rows, ended, warnings } = await carriedOut(deps, decision, context)
  const reason = `resume with the ${take}`
  const head = await deps.engine.release(tx, { actor, request_id, reason, plan_hash: hash, warnings, rows })
  await tx.addEvent({
    at,
    kind: 'resumed',
    message: `${actor} took the ${take}: outside writes go on at change ${number}.`,
    facts: { take, number, world_number, actor },
  })
  return { decision, warnings, head, number, ended, domain_ids: rows.map(({ domain_id }) => domain_id) }
}

/** Of two at once, the one that comes second was shown a world that the first has settled; null where nobody has decided. */
async function decidedSince(
  reader: Parameters<typeof settledNumber>[0],
  { standing }: Ground,
): Promise<Failure | null> {
  const settled = await settledNumber(reader)
  if (standing.worlds.some(({ ahead, stamp }) => ahead && stamp.number > settled)) return null
  return new Failure(
    'conflict',
    `Somebody has just decided, up to change ${settled} of the world. Nothing is left to decide.`,
  )
}

interface Context extends Transaction {
  readonly caller: Caller
}

interface CarriedOut extends CarriedOver {
  /** What is deployed before and after, by the side that is not taken and the one that is; null where that is not known. */
  readonly sides: readonly [Intent, Intent] | null
  readonly warnings: readonly string[]
}

/** What is released by it, held against the rules for it, and what it opens. */
async function carriedOut(deps: Deps, decision: Decision, context: Context): Promise<CarriedOut> {
  const { resumption, undone, evaluated, hash, users } = decision
  const released = await context.tx.intent('released')
  if (undone !== null) await revokeAll(undone, { ...context, users })
  const { ddns } = deps
  const { rows, ended } =
    resumption === null ? NOTHING : await carryOver(resumption, { ...context, hash, users, ddns })
  if (resumption !== null) await assertRules(deps, context.tx, rows)
  const sides =
    evaluated === null
      ? null
      : resumption === null
        ? ([{ rows: evaluated.held.rows }, released] as const)
        : ([released, withRows(released, rows)] as const)
  const opened = sides === null ? [] : lostChecks(...sides, deps.offer)
  const keys = [
    ...endingWords(ended.flatMap(({ tokens }) => tokens)),
    ...(await lostKeyWarnings(ddns, context.tx, rows)),
  ]
  return { rows, ended, sides, warnings: [...decision.warnings, ...opened, ...keys] }
}

const NOTHING: CarriedOver = { rows: [], ended: [] }
