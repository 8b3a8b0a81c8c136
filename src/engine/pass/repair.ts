/** The writing half of a pass: guard, journal, apply, look again, journal. */
import type { Instant } from '../../kernel/clock.ts'
import type { Undone } from '../../model/report.ts'
import { newestDigest } from '../editions/editions.ts'
import { undoneOf } from '../editions/undone.ts'
import { obstaclesOf } from '../status/decide.ts'
import type { Applied } from '../../ports/store.ts'
import type { AnyTarget, ApplyContext } from '../target.ts'
import { beginStep } from './begin-step.ts'
import type { PassParts } from './pass-parts.ts'
import { remember, rememberFirst } from './remember.ts'
import { asRefusal, failed, hindered, itemsOf, refusal, reportedOf, type PassResult } from './result.ts'
import { auditRevert, countRevert, mayBeStopped } from './reverts.ts'
import { type Known, letsInMore, type Step, type Work, write, type Written } from './write.ts'

export async function repair(target: AnyTarget, parts: PassParts, work: Work): Promise<PassResult> {
  const { released, observation, differences, asked_for, signal } = work
  const asked = asked_for !== null
  const applied = parts.memory.written(target)
  const by_stranger = applied !== null && applied.observed !== observation.digest
  try {
    await parts.world.assertNewest(target, observation.state, signal)
  } catch (error) {
    // What was found is known, although nothing is done about it.
    return failed(observation.at, differences.length, asRefusal(error, target, parts))
  }
  const opens =
    (await mayBeStopped(target, parts, { asked, by_stranger })) && letsInMore(target, released, observation)
  const step = await beginStep(parts.store, parts.clock, {
    target,
    differences,
    computed_for: released.digest,
    observed: observation.digest,
    written_before: applied !== null,
    opens,
    asked,
  })
  if (typeof step !== 'number') {
    parts.metrics.count('plumbline_guard_hits_total', { component: target.name, rule: step.rule })
    const refused = refusal('refused_by_guard', step.message)
    const result = failed(observation.at, differences.length, refused, 'refused')
    return step.rule === 'stale_release' ? { ...result, overtaken: true } : result
  }
  const before: Before = { asked, by_stranger, applied }
  const kept_as: string[] = []
  const context = contextOf(target, work, { ...before, kept_as })
  const undone = undoing(target, parts, work, { ...before, kept_as })
  return carryOut(target, parts, { ...work, step, opens, by_stranger, context, undone })
}

/** How the world was found. */
interface Before {
  readonly asked: boolean
  /** It differed from what we left. */
  readonly by_stranger: boolean
  /** What we left there last; null where we have never written. */
  readonly applied: Applied | null
}

interface Keeping extends Before {
  /** Places of copies, as they come. */
  readonly kept_as: string[]
}

/** What the target is handed for its write, which is announced to whoever follows the pass. */
function contextOf(
  target: AnyTarget,
  { differences, progress, asked_for, ends_at, signal }: Work,
  { by_stranger, applied, kept_as }: Keeping,
): ApplyContext {
  const reported = reportedOf(differences)
  progress?.writes(reported)
  const by_key = new Map(reported.map((one) => [one.key, one]))
  return {
    signal,
    // Where we have never written, whatever comes between the look and our write is somebody else's.
    evidence: by_stranger || (applied === null && target.whole === true),
    kept: (place) => void kept_as.push(place),
    asked_for,
    ends_at,
    wrote: (keys) => progress?.wrote(keys.flatMap((key) => by_key.get(key) ?? [])),
  }
}

/** What the write will have undone of somebody else's, as far as it was done. */
function undoing(
  target: AnyTarget,
  { refused_items, store, log }: PassParts,
  { released, observation, differences }: Work,
  before: Keeping,
): Step['undone'] {
  const found = { ...before, released, state: observation.state, stood: refused_items.rest(target.key) }
  // What was owed still never stood there for anybody to change.
  const edited = differences.filter(({ key }) => !refused_items.isOwed(target.key, key))
  return (done) => {
    const written = new Set(edited.flatMap(({ key, item }) => (done.has(key) ? [item] : [])))
    return undoneOf(target, store, { ...found, written }).catch((error: unknown): Undone | null => {
      log.warn('what was undone of somebody else is not known', {
        target: target.key,
        kept_as: before.kept_as,
        error,
      })
      return null
    })
  }
}

async function carryOut(target: AnyTarget, parts: PassParts, work: Step): Promise<PassResult> {
  const { differences, observation } = work
  try {
    await parts.world.raise(target.name, work.signal, { bears_number: target.bears_number === true })
    const done = await write(target, parts, work)
    return done.failed_pass === null
      ? await finish(target, parts, { ...work, ...done })
      : await giveUp(target, parts, {
          ...work,
          failed_pass: done.failed_pass,
          accepted: done.accepted,
          done: done.done,
        })
  } catch (error) {
    const failed_pass = failed(observation.at, differences.length, asRefusal(error, target, parts))
    return giveUp(target, parts, { ...work, failed_pass, accepted: false, done: new Set() })
  }
}

/** The release is in the world, as far as nobody stands in the way: the journal and what was applied say so together. */
async function finish(target: AnyTarget, parts: PassParts, work: Step & Written): Promise<PassResult> {
  const { released, differences, step } = work
  const after = work.after as Known
  const undone = await work.undone(work.done)
  const of_world = reportedOf(differences)
  const outcome = of_world.length > 0 ? 'repaired' : 'clean'
  // What is left alone there is a stranger's still, and is told as such when it is undone.
  const before = parts.memory.written(target)?.observed ?? ''
  const observed = work.left_alone.size > 0 ? before : after.digest
  const applied = await parts.store.write(async (tx) => {
    const saved = await remember(tx, { target, released, observed, at: parts.clock.now() })
    // A release that came since has its own pass.
    if (newestDigest(await tx.latestRelease(), target, released.digest) === released.digest)
      await tx.recordResults(saved.release, { [target.key]: outcome })
    const at = parts.clock.now()
    await countRevert(tx, target, revertOf(work, at))
    await auditRevert(tx, target, { undone, asked: work.asked_for !== null, opens: work.opens, at })
    await tx.endStep(step, { kind: 'done' }, at)
    return saved
  })
  parts.memory.adoptApplied(applied)
  parts.refused_items.dropRest(target.key)
  for (const { verb } of differences)
    parts.metrics.count('plumbline_plan_actions_total', { component: target.name, verb })
  const repaired = of_world.length
  const obstacles = obstaclesOf(target, released.desired, after.state)
  const undone_part = undone === null ? {} : { undone }
  const items = itemsOf(of_world)
  if (obstacles.length > 0)
    return { ...hindered(obstacles, { repaired, observed_at: after.at }, items), ...undone_part }
  return {
    ...undone_part,
    items,
    outcome,
    differences: repaired,
    repaired,
    failure: null,
    refusals: [],
    observed_at: after.at,
  }
}

async function giveUp(
  target: AnyTarget,
  { store, clock, log, memory }: PassParts,
  work: Step & Pick<Written, 'accepted' | 'done'> & { readonly failed_pass: PassResult },
): Promise<PassResult> {
  const { step, failed_pass, accepted, done, observation } = work
  // What was carried out is told, whatever became of the rest.
  const undone = await work.undone(done)
  const { code, message } = failed_pass.failure!
  const is_first = accepted && target.whole && memory.written(target) === null
  try {
    const first = await store.write(async (tx) => {
      const at = clock.now()
      if (accepted || undone !== null) await countRevert(tx, target, revertOf(work, at))
      await auditRevert(tx, target, { undone, asked: work.asked_for !== null, opens: work.opens, at })
      await tx.endStep(step, { kind: 'failed', code, message }, at)
      return is_first ? await rememberFirst(tx, target, { before: observation.digest, at }) : null
    })
    if (first !== null) memory.adoptApplied(first)
  } catch (error) {
    log.error('journal step left open', { step, target: target.key, error })
  }
  return undone === null ? failed_pass : { ...failed_pass, undone }
}

const revertOf = ({ asked_for, opens, by_stranger, observation }: Step, at: Instant) => ({
  asked: asked_for !== null,
  by_stranger,
  opens,
  observed: observation.digest,
  at,
})
