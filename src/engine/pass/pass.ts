/**
 * One pass over one key: look, compare with the released edition, guard, journal, apply, look again, journal.
 *
 * The pass knows nothing of what the target is. Trouble that is expected comes back as a report; what is thrown is a bug.
 */
import { suspendedWords } from '../../model/mode.ts'
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Report } from '../../model/report.ts'
import { isTheirs, type Whose } from '../../model/whose.ts'
import type { ModeSetting } from '../../ports/store.ts'
import { portionOf, type Released } from '../editions/editions.ts'
import { decide, evaluate, type Evaluation, isApplied } from '../status/decide.ts'
import { VACANT } from '../memory.ts'
import { ignoredAmong, NONE_IGNORED } from './ignored.ts'
import type { PassParts } from './pass-parts.ts'
import type { PassProgress } from '../progress.ts'
import { owedOf } from './owed.ts'
import { remember } from './remember.ts'
import { repair } from './repair.ts'
import { spaceOut } from './space-out.ts'
import type { AnyTarget, Difference, Observation } from '../target.ts'
import type { Undone } from '../../model/report.ts'
import {
  asRefusal,
  CLEAN,
  failed,
  hindered,
  isOfItems,
  itemsOf,
  keysOf,
  openItems,
  refusal,
  stillRefused,
  type PassResult,
} from './result.ts'

export interface PassAsk {
  /** The records for which callers want this release in the world, so that `observe` mode does not stop it; null: nobody does. */
  readonly asked_for: Whose | null
  readonly signal: AbortSignal
  /** Whoever waits for it. */
  readonly progress?: PassProgress
}

interface TimedAsk extends PassAsk {
  /** See `ApplyContext`. */
  readonly ends_at: Milliseconds
}

/** So often a pass compares again because it was overtaken; beyond it the backoff decides. */
const MAX_COMPARISONS = 10

type Known = Extract<Observation<unknown>, { known: true }>

export async function pass(target: AnyTarget, parts: PassParts, ask: PassAsk): Promise<Report> {
  const started = parts.clock.elapsed()
  const ends_at = started + target.deadline_ms
  const { release, result } = await workOn(target, parts, { ...ask, ends_at })
  const next_attempt_at = await spaceOut(target, parts, result)
  const took_ms = parts.clock.elapsed() - started
  const { overtaken: _, pressing: __, undone, ...reported } = result
  const report: Report = {
    component: target.name,
    key: target.key,
    ...reported,
    ...(undone !== undefined && { undone }),
    release,
    took_ms,
    next_attempt_at,
  }
  account(report, undone ?? null, parts)
  ask.progress?.ended(report)
  return report
}

/** A release that comes in between makes the comparison stale, not the pass: its callers wait for the newest one. */
async function workOn(
  target: AnyTarget,
  parts: PassParts,
  ask: TimedAsk,
): Promise<{ readonly result: PassResult; readonly release: number }> {
  let release = 0
  const newest = async () => (release = (await parts.store.latestRelease())?.number ?? 0)
  for (let comparisons = 1; ; comparisons++) {
    const result = await newest()
      .then(() => workOnce(target, parts, ask, newest))
      .catch((error: unknown) => failed(parts.clock.now(), 0, asRefusal(error, target, parts)))
    if (result.overtaken !== true || comparisons === MAX_COMPARISONS) return { result, release }
  }
}

/** @param newest reads the number of the newest release, which the report then names */
async function workOnce(
  target: AnyTarget,
  parts: PassParts,
  ask: TimedAsk,
  newest: () => Promise<number>,
): Promise<PassResult> {
  const { memory } = parts
  const mode = memory.modeOf(target.name)
  if (mode.mode === 'suspend') return suspended(target, mode, parts)
  const released = await releasedNow(target, parts, newest)
  ask.progress?.looks()
  const observation = await parts.looks.observe(target, ask.signal, { afresh: ask.asked_for !== null })
  if (observation.known) await parts.world.found(target, observation.state)
  const evaluation = evaluate(target, released, observation)
  const differs = evaluation.differences.length > 0
  const facts = {
    evaluation,
    // Somebody may have suspended it during the look, and may be at work in the world already.
    mode: differs ? memory.modeOf(target.name) : mode,
    applied: isApplied(target, released, memory.applied(target)),
  }
  // The guards are asked in the transaction that begins the write; that earlier attempts failed is why this one is made.
  const { will } = decide({ ...facts, guard: null, attempt: null, asked: ask.asked_for !== null })
  if (will === 'stay_suspended') return suspended(target, facts.mode, parts)
  if (!observation.known) {
    const { at, detail, retry_after_ms } = observation
    return failed(at, 0, refusal('component_unavailable', detail, retry_after_ms), 'unknown')
  }
  if (released === null) return { ...CLEAN, observed_at: observation.at }
  const known = ignoredAmong(target, parts.ignored ?? NONE_IGNORED, {
    desired: released.desired,
    state: observation.state,
    differences: evaluation.differences,
    now: observation.at,
  })
  if (!differs) return settle(target, parts, { released, observation, ...facts })
  if (will === 'only_report') return onlyReported(evaluation, observation.at)
  return bringThere(target, parts, { released, observation, ...facts, known }, ask)
}

/** What the newest release wants; where one came while that was read, it is read anew, so that the report names the right one. */
async function releasedNow(
  target: AnyTarget,
  { editions }: PassParts,
  newest: () => Promise<number>,
): Promise<Released | null> {
  for (;;) {
    const number = await newest()
    const released = await editions.released(target)
    if ((await newest()) === number) return released
  }
}

interface Differing extends Settled {
  readonly mode: ModeSetting
  /** Keys of differences that a person has said may stay. */
  readonly known: ReadonlySet<string>
}

/** Repairs what of the differences may be repaired and is due now; what is left alone is told beside it. */
async function bringThere(
  target: AnyTarget,
  parts: PassParts,
  { released, observation, evaluation, mode, applied, known }: Differing,
  ask: TimedAsk,
): Promise<PassResult> {
  const { memory, refused_items } = parts
  const { asked_for } = ask
  const { state, at } = observation
  const { differences: found } = evaluation
  const of_release = { released, state, asked_for, applied: memory.applied(target), differences: found }
  const owed = () => owedOf(target, parts, of_release)
  // Finishing a release is no self-repair, and it is no leave for one either.
  const reach = mode.mode === 'observe' && asked_for === null ? await owed() : keysOf(found)
  // What a caller asks for is done all the same.
  const stays = ({ key, domain_ids }: Difference<unknown>) =>
    known.has(key) && !(asked_for !== null && isTheirs(asked_for, domain_ids))
  if (applied && found.every(stays)) return onlyReported(evaluation, at)
  const isOurs = (one: Difference<unknown>) => reach.has(one.key) && !stays(one)
  const differences = found.filter(isOurs)
  const left = found.filter((one) => !isOurs(one))
  if (differences.length === 0) {
    await rememberAs(memory.written(target)?.observed ?? '', target, parts, released)
    return onlyReported(evaluation, at)
  }
  const now = parts.clock.now()
  const waiting = refused_items.waiting(target, differences, { now, asked_for })
  const due = differences.filter(({ key }) => !waiting.has(key))
  const todo = { released, observation, differences: due, waiting, left_alone: keysOf(left), owed }
  const result =
    due.length === 0
      ? stillRefused([...waiting.values(), ...evaluation.obstacles], at)
      : await repair(target, parts, { ...todo, ...ask })
  if (due.length === 0)
    refused_items.note(target, new Map(), { untried: waiting, now, random: parts.random() })
  // Of what is written as a whole there is no rest.
  if (!target.whole && isOfItems(result) && !result.refusals.some(({ unfinished }) => unfinished === true))
    refused_items.noteRest(target.key, portionOf(target, released), released)
  return left.length === 0 ? result : besideLeft(result, left)
}

const onlyReported = ({ differences, obstacles }: Evaluation, observed_at: Instant): PassResult => ({
  ...CLEAN,
  outcome: 'left_drifting',
  differences: differences.length + obstacles.length,
  items: [...itemsOf(differences, keysOf(differences)), ...openItems(obstacles)],
  observed_at,
})

/** What a pass did that left something alone. */
const besideLeft = (result: PassResult, left: readonly Difference<unknown>[]): PassResult => ({
  ...result,
  outcome: result.failure === null ? 'left_drifting' : result.outcome,
  differences: result.differences + left.length,
  items: [...(result.items ?? []), ...itemsOf(left, keysOf(left))],
})

/** @param observed fingerprint of the world as we left it */
async function rememberAs(
  observed: string,
  target: AnyTarget,
  { store, memory, refused_items, clock }: PassParts,
  released: Released,
): Promise<void> {
  memory.adoptApplied(
    await store.write((tx) => remember(tx, { target, released, observed, at: clock.now() })),
  )
  refused_items.dropRest(target.key)
}

function suspended(target: AnyTarget, { reason }: ModeSetting, { clock }: PassParts): PassResult {
  target.passedOver?.()
  return failed(clock.now(), 0, refusal('suspended', suspendedWords(target.name, reason)), 'suspended')
}

interface Settled {
  readonly released: Released
  readonly observation: Known
  readonly evaluation: Evaluation
  readonly applied: boolean
}

/**
 * Nothing is left to do. If that is news (a crash came between write and record), it is recorded; where nothing is to stand
 * there, never as ours: a stranger's file may stand there, or come.
 */
async function settle(
  target: AnyTarget,
  parts: PassParts,
  { released, observation, evaluation: { obstacles }, applied }: Settled,
): Promise<PassResult> {
  const is_vacant = target.isVacant?.(released.desired, observation.state) === true
  const is_news = !applied || (is_vacant && parts.memory.written(target) !== null)
  if (is_news) await rememberAs(is_vacant ? VACANT : observation.digest, target, parts, released)
  return obstacles.length > 0
    ? hindered(obstacles, { repaired: 0, observed_at: observation.at })
    : { ...CLEAN, observed_at: observation.at }
}

function account(report: Report, undone: Undone | null, { metrics, log }: PassParts): void {
  const { component, key: target, outcome, release, differences } = report
  metrics.count('plumbline_reconcile_total', { component, result: outcome })
  metrics.observe('plumbline_reconcile_duration_seconds', report.took_ms / 1000, { component })
  if (report.failure === null)
    metrics.gauge('plumbline_last_success_timestamp_seconds', report.observed_at / 1000, { component })
  const facts = { component, target, release }
  const took_ms = Math.round(report.took_ms)
  if (undone !== null) log.warn('undid what somebody else had changed', { ...facts, ...undone, took_ms })
  else if (outcome === 'repaired') log.info('repaired', { ...facts, differences, took_ms })
}
