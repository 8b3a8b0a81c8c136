/** The writing half of a pass: guard, journal, apply, look again, journal. */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Refusal, RefusedRepair, Undone } from '../../model/report.ts'
import type { Whose } from '../../model/whose.ts'
import { beginStep } from './begin-step.ts'
import { newestDigest, type Released } from '../editions/editions.ts'
import type { PassParts } from './pass-parts.ts'
import { remember, rememberFirst } from './remember.ts'
import { countRevert, mayBeStopped, auditRevert } from './reverts.ts'
import type { PassProgress } from '../progress.ts'
import type { AnyTarget, ApplyContext, Difference, Observation, Repair } from '../target.ts'
import { obstaclesOf } from '../status/decide.ts'
import { undoneOf } from '../editions/undone.ts'
import {
  asRefusal,
  failed,
  hindered,
  itemsOf,
  keysOf,
  openItems,
  refusal,
  reportedOf,
  unfinished,
  type PassResult,
} from './result.ts'

type Known = Extract<Observation<unknown>, { known: true }>

export interface Work {
  readonly released: Released
  readonly observation: Known
  readonly differences: readonly Difference<unknown>[]
  /** What is different, too, and was refused a moment ago; by the key of the difference. */
  readonly waiting: ReadonlyMap<string, Refusal>
  /** Keys of what is different, too, and is somebody else's doing that nobody asked to have undone. */
  readonly left_alone: ReadonlySet<string>
  /** See `owed.ts`. */
  readonly owed: () => Promise<ReadonlySet<string>>
  readonly asked_for: Whose | null
  readonly ends_at: Milliseconds
  readonly signal: AbortSignal
  readonly progress?: PassProgress
}

export async function repair(target: AnyTarget, parts: PassParts, work: Work): Promise<PassResult> {
  const { released, observation, differences, asked_for, signal, ends_at } = work
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
  const reported = reportedOf(differences)
  work.progress?.writes(reported)
  const by_key = new Map(reported.map((one) => [one.key, one]))
  const wrote = (keys: readonly string[]) =>
    work.progress?.wrote(keys.flatMap((key) => by_key.get(key) ?? []))
  const kept_as: string[] = []
  const kept = (place: string) => void kept_as.push(place)
  // Where we have never written, whatever comes between the look and our write is somebody else's.
  const evidence = by_stranger || (applied === null && target.whole === true)
  const context = { signal, evidence, kept, asked_for, ends_at, wrote }
  const stood = parts.refused_items.rest(target.key)
  const found = { released, state: observation.state, by_stranger, asked, applied, stood }
  // What was owed still never stood there for anybody to change.
  const edited = differences.filter(({ key }) => !parts.refused_items.isOwed(target.key, key))
  const undone = (done: ReadonlySet<string>) => {
    const written = new Set(edited.flatMap(({ key, item }) => (done.has(key) ? [item] : [])))
    return undoneOf(target, parts.store, { ...found, kept_as, written }).catch((error: unknown) => {
      parts.log.warn('what was undone of somebody else is not known', { target: target.key, kept_as, error })
      return null
    })
  }
  return carryOut(target, parts, { ...work, step, opens, by_stranger, context, undone })
}

const letsInMore = (target: AnyTarget, { desired }: Released, { state }: Known): boolean =>
  target.opens?.(desired, state) === true

interface Step extends Work {
  readonly step: number
  /** What stood there let in more than what was released. */
  readonly opens: boolean
  /** It differed from what we left. */
  readonly by_stranger: boolean
  readonly context: ApplyContext
  /** What it undid of somebody else's, where it did; to be asked when it is done. */
  readonly undone: (done: ReadonlySet<string>) => Promise<Undone | null>
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

interface Written {
  /** All of it was accepted; whether it still stands, `failed_pass` says. */
  readonly accepted: boolean
  /** Keys of what was accepted and is not known to differ again. */
  readonly done: ReadonlySet<string>
  /** The world afterwards; of use only without a failed pass. */
  readonly after: Observation<unknown>
  readonly failed_pass: PassResult | null
}

/** Applies and looks again: what counts is what is there then. */
async function write(target: AnyTarget, parts: PassParts, work: Step): Promise<Written> {
  const { looks } = parts
  const { released, observation, differences, waiting, asked_for, signal } = work
  const repairs = await target.apply(differences, released.desired, work.context)
  const after = await looks.observe(target, signal, { afresh: asked_for !== null })
  const left = after.known
    ? target.diff(released.desired, after.state).filter(({ key }) => !work.left_alone.has(key))
    : differences
  // What waits is different still and was not tried.
  const open = keysOf(reportedOf(left).filter(({ key }) => !waiting.has(key)))
  const reported = reportedOf(differences)
  const repaired = reported.length - Math.min(open.size, reported.length)
  const fresh = refusalsOf(repairs, differences)
  const items = [...itemsOf(reported, open, fresh), ...openItems([...waiting.values()])]
  const now = parts.clock.now()
  const times = {
    untried: waiting,
    now,
    random: parts.random(),
    ...(fresh.size > 0 && { owed: await work.owed() }),
  }
  const tried = repairs.filter((repair) => repair.ok || repair.unfinished !== true)
  parts.refused_items.note(target, refusalsOf(tried, differences), times)
  const refused = [...fresh.values(), ...waiting.values()]
  const accepted = fresh.size === 0
  const differs_still = after.known ? keysOf(left) : new Set<string>()
  const done = new Set(repairs.flatMap(({ ok, key }) => (ok && !differs_still.has(key) ? [key] : [])))
  const failedWith = (failure: PassResult['failure'], refusals: readonly Refusal[] = []): Written => ({
    accepted,
    done,
    after,
    failed_pass: { ...failed(observation.at, reported.length, failure!), repaired, refusals, items },
  })
  const progress = progressOf(repairs)
  if (progress !== null)
    return {
      accepted,
      done,
      after,
      failed_pass: { ...unfinished(observation.at, reported.length, progress), repaired, items },
    }
  if (refused.length > 0) {
    const items = new Set(refused.map(({ item }) => item))
    const alone = after.known && left.every(({ item }) => items.has(item))
    const first = refused.find((one) => one.unfinished !== true) ?? refused[0]!
    return failedWith(
      first.failure,
      alone ? [...refused, ...obstaclesOf(target, released.desired, after.state)] : [],
    )
  }
  if (!after.known) return failedWith(refusal('component_unavailable', after.detail, after.retry_after_ms))
  if (left.length > 0) {
    const again = failedWith(refusal('conflict', 'The world changed again while it was being repaired.'))
    return letsInMore(target, released, after)
      ? { ...again, failed_pass: { ...again.failed_pass!, pressing: true } }
      : again
  }
  return { accepted, done, after, failed_pass: null }
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
    await countRevert(tx, target, undoing(work, at))
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
      if (accepted || undone !== null) await countRevert(tx, target, undoing(work, at))
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

const undoing = ({ asked_for, opens, by_stranger, observation }: Step, at: Instant) => ({
  asked: asked_for !== null,
  by_stranger,
  opens,
  observed: observation.digest,
  at,
})

function refusalsOf(
  repairs: readonly Repair[],
  differences: readonly Difference<unknown>[],
): ReadonlyMap<Difference<unknown>, Refusal> {
  const by_key = new Map(differences.map((difference) => [difference.key, difference]))
  return new Map(
    repairs.flatMap((done) => {
      const difference = by_key.get(done.key)
      if (done.ok || difference === undefined) return []
      const { item, domain_ids = [] } = difference
      const { failure, unfinished: is_unfinished = false } = done
      return [
        [difference, { item, domain_ids, failure, ...(is_unfinished && { unfinished: true }) }] as const,
      ]
    }),
  )
}

/** How far it came, where all that is not done yet is merely unfinished; null otherwise. */
function progressOf(repairs: readonly Repair[]): RefusedRepair | null {
  const open = repairs.flatMap((repair) => (repair.ok ? [] : [repair]))
  return open.every((repair) => repair.unfinished === true) ? (open[0]?.failure ?? null) : null
}
