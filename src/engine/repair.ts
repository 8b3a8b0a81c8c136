/** The writing half of a pass: guard, journal, apply, journal, look again. */
import type { Instant } from '../kernel/clock.ts'
import type { Refusal, RefusedRepair } from '../model/report.ts'
import type { Applied, StoreWriter } from '../ports/store.ts'
import { beginStep } from './begin-step.ts'
import { newestDigest, portionOf, type Released } from './editions.ts'
import type { PassParts } from './pass-parts.ts'
import type { AnyTarget, Difference, Observation, Repair } from './target.ts'
import { asRefusal, failed, hindered, refusal, unfinished, type Verdict } from './verdict.ts'

type Known = Extract<Observation<unknown>, { known: true }>

export interface Work {
  readonly released: Released
  readonly observation: Known
  readonly differences: readonly Difference<unknown>[]
  readonly asked: boolean
  readonly signal: AbortSignal
}

export async function repair(target: AnyTarget, parts: PassParts, work: Work): Promise<Verdict> {
  const { released, observation, differences, asked, signal } = work
  const applied = parts.memory.applied(target)
  const by_stranger = applied !== null && applied.observed !== observation.digest
  const step = await beginStep(parts.store, parts.clock, {
    target,
    differences,
    computed_for: released.digest,
    observed: observation.digest,
    written_before: applied !== null,
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
  const { differences, observation } = work
  try {
    const done = await write(target, work)
    return done.trouble === null
      ? await finish(target, parts, { ...work, ...done })
      : await giveUp(target, parts, { ...work, trouble: done.trouble, accepted: done.accepted })
  } catch (error) {
    const trouble = failed(observation.at, differences.length, asRefusal(error, target, parts))
    return giveUp(target, parts, { ...work, trouble, accepted: false })
  }
}

interface Written {
  /** All of it was accepted; whether it still stands, `trouble` tells. */
  readonly accepted: boolean
  /** The world afterwards; of use only without trouble. */
  readonly after: Observation<unknown>
  readonly trouble: Verdict | null
}

/** Applies and looks again: what counts is what is there then. */
async function write(target: AnyTarget, work: Step): Promise<Written> {
  const { released, observation, differences, signal } = work
  const repairs = await target.apply(differences, released.desired, work.context)
  const after = await target.observe(signal)
  const left = after.known ? target.diff(released.desired, after.state) : differences
  const repaired = differences.length - Math.min(left.length, differences.length)
  const refused = refusalsOf(repairs, differences)
  const accepted = refused.length === 0
  const trouble = (failure: Verdict['failure'], refusals: readonly Refusal[] = []): Written => ({
    accepted,
    after,
    trouble: { ...failed(observation.at, differences.length, failure!), repaired, refusals },
  })
  const progress = progressOf(repairs)
  if (progress !== null)
    return {
      accepted,
      after,
      trouble: { ...unfinished(observation.at, differences.length, progress), repaired },
    }
  if (!accepted) {
    const items = new Set(refused.map(({ item }) => item))
    const alone = after.known && left.every(({ item }) => items.has(item))
    return trouble(refused[0]!.failure, alone ? [...refused, ...obstaclesOf(target, released, after)] : [])
  }
  if (!after.known) return trouble(refusal('component_unavailable', after.detail, after.retry_after_ms))
  if (left.length > 0)
    return trouble(refusal('conflict', 'The world changed again while it was being repaired.'))
  return { accepted, after, trouble: null }
}

/** The release is in the world, as far as nobody stands in the way: the journal and what was applied say so together. */
async function finish(target: AnyTarget, parts: PassParts, work: Step & Written): Promise<Verdict> {
  const { released, differences, step } = work
  const after = work.after as Known
  const applied = await parts.store.write(async (tx) => {
    const saved = await remember(tx, { target, released, observation: after, at: parts.clock.now() })
    // A release that came since has its own pass.
    if (newestDigest(await tx.latestRelease(), target, released.digest) === released.digest)
      await tx.recordResults(saved.release, { [target.key]: 'repaired' })
    const at = parts.clock.now()
    await countRevert(tx, target, { ...work, at })
    await tx.endStep(step, { kind: 'done' }, at)
    return saved
  })
  parts.memory.adoptApplied(applied)
  for (const { verb } of differences)
    parts.metrics.count('plumbline_plan_actions_total', { component: target.name, verb })
  const repaired = differences.length
  const obstacles = obstaclesOf(target, released, after)
  if (obstacles.length > 0) return hindered(obstacles, { repaired, observed_at: after.at })
  return {
    outcome: 'repaired',
    differences: repaired,
    repaired,
    failure: null,
    refusals: [],
    observed_at: after.at,
  }
}

async function giveUp(
  target: AnyTarget,
  { store, clock, log }: PassParts,
  work: Step & { readonly trouble: Verdict; readonly accepted: boolean },
): Promise<Verdict> {
  const { step, trouble, accepted } = work
  const { code, message } = trouble.failure!
  await store
    .write(async (tx) => {
      const at = clock.now()
      if (accepted) await countRevert(tx, target, { ...work, at })
      await tx.endStep(step, { kind: 'failed', code, message }, at)
    })
    .catch((cause: unknown) =>
      log.error('journal step left open', { step, target: target.key, error: cause }),
    )
  return trouble
}

/** A stranger's state was overwritten. Where nothing could be written nobody put it back, however often we try. */
async function countRevert(
  tx: StoreWriter,
  { key }: AnyTarget,
  { asked, context, observation, at }: Step & { readonly at: Instant },
): Promise<void> {
  if (context.evidence && !asked) await tx.addRevert({ key, observed: observation.digest, at })
}

export const obstaclesOf = (target: AnyTarget, { desired }: Released, { state }: Known): readonly Refusal[] =>
  target.obstacles?.(desired, state) ?? []

function refusalsOf(
  repairs: readonly Repair[],
  differences: readonly Difference<unknown>[],
): readonly Refusal[] {
  const by_key = new Map(differences.map((difference) => [difference.key, difference]))
  return repairs.flatMap((done) => {
    if (done.ok) return []
    const difference = by_key.get(done.key)
    return [
      {
        item: difference?.item ?? done.key,
        domain_ids: difference?.domain_ids ?? [],
        failure: done.failure,
      },
    ]
  })
}

/** How far it came, where all that is not done yet is merely unfinished; null otherwise. */
function progressOf(repairs: readonly Repair[]): RefusedRepair | null {
  const open = repairs.flatMap((repair) => (repair.ok ? [] : [repair]))
  return open.every((repair) => repair.unfinished === true) ? (open[0]?.failure ?? null) : null
}

interface Seen {
  readonly target: AnyTarget
  readonly released: Released
  readonly observation: Known
  readonly at: Instant
}

/** What was applied, and by which release; its number is the answer. */
export async function remember(
  tx: StoreWriter,
  { target, released, observation, at }: Seen,
): Promise<Applied> {
  const head = await tx.latestRelease()
  const applied = {
    key: target.key,
    release: head!.number,
    place: target.place,
    digest: portionOf(target, released),
    observed: observation.digest,
    at,
  }
  await tx.saveApplied(applied)
  return applied
}
