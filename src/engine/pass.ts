/**
 * One pass over one key: look, compare with the released edition, guard, journal, apply, journal, look again.
 *
 * The pass knows nothing of what the target is. Trouble that is expected comes back as a report; what is thrown is a bug.
 */
import { backoffDelay } from '../kernel/backoff.ts'
import type { Clock, Instant } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Outcome, RefusedRepair, Report } from '../model/report.ts'
import type { Applied, Store } from '../ports/store.ts'
import { beginStep } from './begin-step.ts'
import type { Editions, Released } from './editions.ts'
import type { Memory } from './memory.ts'
import type { AnyTarget, Difference, Observation } from './target.ts'

export interface PassParts {
  readonly store: Store
  readonly editions: Editions
  readonly memory: Memory
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** A number in [0, 1) for jitter. */
  readonly random: () => number
}

export interface PassAsk {
  /** A caller wants this release in the world, so `observe` mode does not stop it. */
  readonly asked: boolean
  readonly signal: AbortSignal
}

interface Verdict {
  readonly outcome: Outcome
  readonly differences: number
  readonly repaired: number
  readonly failure: RefusedRepair | null
  readonly observed_at: Instant
  /** A release came between the comparison and the write. */
  readonly overtaken?: true
}

/** So often a pass compares again because it was overtaken; beyond it the backoff decides. */
const MOST_COMPARISONS = 10

type Known = Extract<Observation<unknown>, { known: true }>

export async function pass(target: AnyTarget, parts: PassParts, ask: PassAsk): Promise<Report> {
  const started = parts.clock.elapsed()
  const release = (await parts.store.latestRelease())?.number ?? 0
  const verdict = await judge(target, parts, ask).catch((error: unknown) =>
    failed(parts.clock.now(), 0, asRefusal(error, target, parts)),
  )
  const next_attempt_at = await spaceOut(target, parts, verdict)
  const took_ms = parts.clock.elapsed() - started
  const { outcome, differences, repaired, failure, observed_at } = verdict
  const report: Report = {
    component: target.name,
    key: target.key,
    outcome,
    differences,
    repaired,
    failure,
    release,
    observed_at,
    took_ms,
    next_attempt_at,
  }
  account(report, parts)
  return report
}

/** A release that comes in between makes the comparison stale, not the pass: its callers wait for the newest one. */
async function judge(target: AnyTarget, parts: PassParts, ask: PassAsk): Promise<Verdict> {
  for (let comparisons = 1; ; comparisons++) {
    const verdict = await judgeOnce(target, parts, ask)
    if (verdict.overtaken !== true || comparisons === MOST_COMPARISONS) return verdict
  }
}

async function judgeOnce(target: AnyTarget, parts: PassParts, ask: PassAsk): Promise<Verdict> {
  const mode = parts.memory.modeOf(target.name)
  if (mode.mode === 'suspend')
    return failed(
      parts.clock.now(),
      0,
      refusal('suspended', `${target.name} is suspended: ${mode.reason}`),
      'suspended',
    )
  const released = await parts.editions.released(target)
  const observation = await target.observe(ask.signal)
  if (!observation.known)
    return failed(observation.at, 0, refusal('component_unavailable', observation.detail), 'unknown')
  if (released === null) return { ...CLEAN, observed_at: observation.at }
  const differences = target.diff(released.desired, observation.state)
  if (differences.length === 0) return settle(target, parts, released, observation)
  const unfinished = parts.memory.applied(target)?.digest !== released.digest
  if (mode.mode === 'observe' && !ask.asked && !unfinished)
    return {
      ...CLEAN,
      outcome: 'left_drifting',
      differences: differences.length,
      observed_at: observation.at,
    }
  return repair(target, parts, { released, observation, differences, ...ask })
}

const CLEAN = { outcome: 'clean', differences: 0, repaired: 0, failure: null } as const

/** Nothing differs. If that is news (a crash came between write and record), it is recorded. */
async function settle(
  target: AnyTarget,
  parts: PassParts,
  released: Released,
  observation: Known,
): Promise<Verdict> {
  if (parts.memory.applied(target)?.digest !== released.digest)
    parts.memory.adoptApplied(
      await parts.store.write((tx) => remember(tx, target, parts, released, observation)),
    )
  return { ...CLEAN, observed_at: observation.at }
}

interface Work {
  readonly released: Released
  readonly observation: Known
  readonly differences: readonly Difference<unknown>[]
  readonly asked: boolean
  readonly signal: AbortSignal
}

async function repair(target: AnyTarget, parts: PassParts, work: Work): Promise<Verdict> {
  const { released, observation, differences, asked, signal } = work
  const applied = parts.memory.applied(target)
  const by_stranger = applied !== null && applied.observed !== observation.digest
  const step = await beginStep(parts.store, parts.clock, {
    target,
    differences,
    computed_for: released.digest,
    observed: observation.digest,
    written_before: applied !== null,
    by_stranger,
    asked,
  })
  if (typeof step !== 'number') {
    parts.metrics.count('plumbline_guard_hits_total', { component: target.name, rule: step.rule })
    const refused = refusal('refused_by_guard', step.message)
    const verdict = failed(observation.at, differences.length, refused, 'refused')
    return step.rule === 'stale_release' ? { ...verdict, overtaken: true } : verdict
  }
  return carryOut(target, parts, { ...work, step, context: { signal, evidence: by_stranger } })
}

interface Step extends Work {
  readonly step: number
  readonly context: { readonly signal: AbortSignal; readonly evidence: boolean }
}

async function carryOut(target: AnyTarget, parts: PassParts, work: Step): Promise<Verdict> {
  const { released, observation, differences, signal, step } = work
  try {
    const repairs = await target.apply(differences, released.desired, work.context)
    const refused = repairs.find((done) => !done.ok)
    const after = await target.observe(signal)
    const left = after.known ? target.diff(released.desired, after.state).length : differences.length
    if (refused !== undefined && !refused.ok) throw new RefusedError(refused.failure, left)
    if (!after.known) throw new RefusedError(refusal('component_unavailable', after.detail), left)
    if (left > 0)
      throw new RefusedError(
        refusal('conflict', 'The world changed again while it was being repaired.'),
        left,
      )
    const applied = await parts.store.write(async (tx) => {
      const saved = await remember(tx, target, parts, released, after)
      // A release that came since has its own pass.
      if ((await tx.latestRelease())!.digests[target.key] === released.digest)
        await tx.recordResults(saved.release, { [target.key]: 'repaired' })
      await tx.endStep(step, { kind: 'done' }, parts.clock.now())
      return saved
    })
    parts.memory.adoptApplied(applied)
    for (const { verb } of differences)
      parts.metrics.count('plumbline_plan_actions_total', { component: target.name, verb })
    const count = differences.length
    return { outcome: 'repaired', differences: count, repaired: count, failure: null, observed_at: after.at }
  } catch (error) {
    const failure = asRefusal(error, target, parts)
    const { code, message } = failure
    const outcome = { kind: 'failed', code, message } as const
    await parts.store
      .write((tx) => tx.endStep(step, outcome, parts.clock.now()))
      .catch((cause: unknown) =>
        parts.log.error('journal step left open', { step, target: target.key, error: cause }),
      )
    const left = error instanceof RefusedError ? error.left : differences.length
    return { ...failed(observation.at, differences.length, failure), repaired: differences.length - left }
  }
}

/** An item's refusal on its way out of the try block, together with how much is left. */
class RefusedError extends Error {
  readonly failure: RefusedRepair
  readonly left: number

  constructor(failure: RefusedRepair, left: number) {
    super(failure.message)
    this.failure = failure
    this.left = left
  }
}

/** What was applied, and by which release; its number is the answer. */
async function remember(
  tx: Parameters<Parameters<Store['write']>[0]>[0],
  target: AnyTarget,
  parts: PassParts,
  released: Released,
  observation: Known,
): Promise<Applied> {
  const head = await tx.latestRelease()
  const applied = {
    key: target.key,
    release: head!.number,
    place: target.place,
    digest: released.digest,
    observed: observation.digest,
    at: parts.clock.now(),
  }
  await tx.saveApplied(applied)
  return applied
}

/** When to come back: after success at the resync period, after trouble by the persisted backoff. */
async function spaceOut(target: AnyTarget, parts: PassParts, verdict: Verdict): Promise<Instant> {
  const now = parts.clock.now()
  // A suspension is no success: the ban that somebody else set stands.
  if (verdict.outcome === 'suspended') return now + target.every_ms
  if (verdict.failure === null) {
    await parts.memory.clearAttempt(target.key).catch(() => undefined)
    return now + target.every_ms
  }
  const failures = (parts.memory.attempt(target.key)?.failures ?? 0) + 1
  const wait = backoffDelay(target.backoff, failures, parts.random(), verdict.failure.retry_after_ms)
  const attempt = { key: target.key, failures, next_attempt_at: now + wait, message: verdict.failure.message }
  await parts.memory.keepAttempt(attempt).catch((error: unknown) => {
    parts.log.error('backoff not persisted', { target: target.key, error })
  })
  return attempt.next_attempt_at
}

function account(report: Report, { metrics, log }: PassParts): void {
  const { component, outcome } = report
  metrics.count('plumbline_reconcile_total', { component, result: outcome })
  metrics.observe('plumbline_reconcile_duration_seconds', report.took_ms / 1000, { component })
  if (report.failure === null)
    metrics.gauge('plumbline_last_success_timestamp_seconds', report.observed_at / 1000, { component })
  const facts = { component, target: report.key, release: report.release, differences: report.differences }
  if (outcome === 'repaired') log.info('repaired', { ...facts, took_ms: report.took_ms })
  // Events and conditions tell when these begin and end; here they would be a line a second for as long as they last.
  else if (outcome === 'left_drifting' || outcome === 'suspended')
    log.debug('left alone', { ...facts, outcome })
  else if (report.failure !== null)
    log.warn('pass did not succeed', {
      ...facts,
      outcome,
      code: report.failure.code,
      reason: report.failure.message,
    })
}

const refusal = (code: RefusedRepair['code'], message: string, retry_after_ms = 0): RefusedRepair => ({
  code,
  message,
  retry_after_ms,
})

/** What was expected to go wrong says why; anything else is a bug: counted, logged with its stack, tried again later. */
function asRefusal(error: unknown, target: AnyTarget, { log, metrics }: PassParts): RefusedRepair {
  if (error instanceof RefusedError) return error.failure
  if (error instanceof Failure) return refusal(error.code, error.message, error.details.retry_after_ms)
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return refusal('component_unavailable', `${target.name} did not finish within ${target.deadline_ms} ms.`)
  metrics.count('plumbline_reconcile_panics_total', { component: target.name })
  log.error('pass threw', { component: target.name, target: target.key, error })
  return refusal('internal', `The pass over ${target.key} failed inside; the log has the reason.`)
}

const failed = (
  observed_at: Instant,
  differences: number,
  failure: RefusedRepair,
  outcome: Outcome = 'failed',
): Verdict => ({ outcome, differences, repaired: 0, failure, observed_at })
