/**
 * How one component stands right now: a fresh look, compared with both editions, the causes, what each side holds for a
 * domain, and what the engine will do about it. Nobody here calls `apply` or writes.
 */
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import type { Outlook } from '../../model/outlook.ts'
import type { GuardHit } from '../../model/plan.ts'
import type { Attempt, ModeSetting, StoreReader } from '../../ports/store.ts'
import { boundedLook } from '../bounded-look.ts'
import { type Editions, newestDigest, portionOf, type Released } from '../editions/editions.ts'
import { fightOver } from '../pass/fight.ts'
import { guardHit } from '../pass/guards.ts'
import type { Memory } from '../memory.ts'
import { outlookOf } from './outlook.ts'
import type { AnyTarget, Difference, Observation, Obstacle } from '../target.ts'

export interface StandingParts {
  readonly store: StoreReader
  readonly editions: Editions
  readonly memory: Memory
  readonly clock: Clock
  /** False where the timer asks; left out, a caller does. */
  readonly afresh?: boolean
  /** How long the look may take; left out: the target's own deadline. */
  readonly most_ms?: Milliseconds
}

/** Null for a side that holds nothing of the domains. */
export interface Excerpts {
  readonly working: string | null
  readonly released: string | null
  /** Also null when the world could not be read. */
  readonly observed: string | null
}

export interface Standing {
  readonly component: string
  readonly key: string
  readonly observed_at: Instant
  /** Does the world differ from the released edition? Null when it could not be read. */
  readonly drift: DriftState
  readonly unknown_because: string | null
  /** Between the world and the working edition, with their causes. */
  readonly differences: readonly ExplainedDifference[]
  /** False while the newest release was never seen in the world. */
  readonly applied: boolean
  readonly mode: ModeSetting
  /** What only a person can move out of the way. */
  readonly obstacles: readonly Obstacle[]
  /** What stands between the differences and their repair, unless a caller asks for it. */
  readonly guard: GuardHit | null
  readonly attempt: Attempt | null
  readonly outlook: Outlook
  /** Null where the target's states have no parts that belong to single domains. */
  excerpts(domains: readonly string[]): Excerpts | null
}

type Known = Extract<Observation<unknown>, { known: true }>

/** A look that fails is an answer; only an abort by `signal` throws. */
export async function standingOf(
  target: AnyTarget,
  parts: StandingParts,
  signal: AbortSignal,
): Promise<Standing> {
  const working = await parts.editions.working(target)
  const released = await parts.editions.released(target)
  const observation = await boundedLook(target, parts, signal)
  const found = observation.known ? observation : null
  const differences = found === null ? [] : ((released && target.diff(released.desired, found.state)) ?? [])
  const obstacles =
    found === null || released === null ? [] : (target.obstacles?.(released.desired, found.state) ?? [])
  const mode = parts.memory.modeOf(target.name)
  const attempt = parts.memory.attempt(target.key)
  const unknown_because = observation.known ? null : observation.detail
  const guard = await guardOver(target, parts, { released, found, differences })
  const applied =
    parts.memory.applied(target)?.digest === (released === null ? undefined : portionOf(target, released))
  return {
    component: target.name,
    key: target.key,
    observed_at: observation.at,
    drift: found === null ? null : differences.length + obstacles.length > 0,
    unknown_because,
    differences: found === null ? [] : await causes(target, parts.editions, { working, released, found }),
    applied,
    mode,
    obstacles,
    guard,
    attempt,
    outlook: outlookOf({
      mode,
      unknown_because,
      differences: differences.length,
      obstacle: obstacles[0]?.failure.message ?? null,
      unfinished: !applied,
      guard,
      attempt,
    }),
    excerpts: (domains) =>
      cut(
        target,
        { working, released, found, true_to: differences.length + obstacles.length === 0 },
        domains,
      ),
  }
}

interface Seen {
  readonly released: Released | null
  readonly found: Known | null
}

async function guardOver(
  target: AnyTarget,
  { store, memory, clock }: StandingParts,
  { released, found, differences }: Seen & { readonly differences: readonly Difference<unknown>[] },
): Promise<GuardHit | null> {
  if (released === null || found === null || differences.length === 0) return null
  const reverts = await store.revertsSince(target.key, 0)
  return guardHit({
    target,
    differences,
    written_before: memory.applied(target) !== null,
    computed_for: released.digest,
    newest: newestDigest(await store.latestRelease(), target, released.digest),
    asked: false,
    opens: target.opens?.(released.desired, found.state) === true,
    fight: fightOver(reverts, found.digest, clock.now()),
    observed: found.digest,
  })
}

async function causes(
  target: AnyTarget,
  editions: Editions,
  { working, released, found }: { working: unknown; released: Released | null; found: Known },
): Promise<readonly ExplainedDifference[]> {
  const rows_moved = await editions.rowsMoved()
  const sides = { working, released: released?.desired ?? null, observed: found.state, rows_moved }
  return target.explain(sides).differences
}

/** Sides that are the same as a whole hold the same, however large they are: they are cut once. */
function cut(
  { excerpt, codec }: AnyTarget,
  { working, released, found, true_to }: Seen & { working: unknown; true_to: boolean },
  domains: readonly string[],
): Excerpts | null {
  if (excerpt === undefined) return null
  const frozen = released && excerpt.desired(released.desired, domains)
  const is_deployed = released !== null && codec.freeze(working).digest === released.digest
  const shows_release = released !== null && true_to
  const observed = () => (shows_release ? frozen : excerpt.observed(found?.state, domains))
  return {
    working: is_deployed ? frozen : excerpt.desired(working, domains),
    released: frozen,
    observed: found === null ? null : observed(),
  }
}
