/** Looking without touching: one observation, compared with both editions and explained. Nobody here calls `apply`. */
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { DriftState, ExplainedDifference } from '../../model/drift.ts'
import { boundedLook } from '../bounded-look.ts'
import type { Editions } from '../editions/editions.ts'
import type { AnyTarget } from '../target.ts'

export interface Look {
  readonly component: string
  readonly key: string
  /** Is the world other than either edition says? Null when it could not be read, or a record of it is damaged. */
  readonly drift: DriftState
  /** The same of the released edition alone. */
  readonly deviates: DriftState
  /** Why it is unknown, else null. */
  readonly unknown_because: string | null
  readonly working_digest: string
  readonly released_digest: string | null
  /** Null when there is nothing, or when it could not be read. */
  readonly observed_digest: string | null
  readonly differences: readonly ExplainedDifference[]
  readonly unified_diff: string | null
  readonly note: string | null
  readonly observed_at: Instant
}

/** What a state says of its key, compared with both editions. */
export type Judged = Pick<
  Look,
  'differences' | 'unified_diff' | 'note' | 'working_digest' | 'released_digest'
> & { readonly drift: boolean; readonly deviates: boolean }

/** @param state as the target observed it */
export async function judged(target: AnyTarget, editions: Editions, state: unknown): Promise<Judged> {
  const working = await editions.working(target)
  const released = await editions.released(target)
  const rows_moved = await editions.rowsMoved()
  const sides = { working, released: released?.desired ?? null, observed: state, rows_moved }
  const working_digest = target.codec.freeze(working).digest
  const is_same = released?.digest === working_digest
  const deviates = released !== null && isDifferent(target, released.desired, state)
  const drift = deviates || (!is_same && isDifferent(target, working, state))
  const digests = { working_digest, released_digest: released?.digest ?? null }
  return { ...target.explain(sides), drift, deviates, ...digests }
}

/** A world that already shows what is saved is not clean while no release says so: the next pass undoes it. */
export const isDifferent = (target: AnyTarget, desired: unknown, state: unknown): boolean =>
  target.diff(desired, state).length > 0 || (target.obstacles?.(desired, state) ?? []).length > 0

export async function lookAt(
  target: AnyTarget,
  parts: { readonly editions: Editions; readonly clock: Clock; readonly most_ms?: Milliseconds },
  signal: AbortSignal,
): Promise<Look> {
  const { editions } = parts
  const observation = await boundedLook(target, parts, signal)
  const base = { component: target.name, key: target.key, observed_at: observation.at }
  if (!observation.known) {
    const nothing = { differences: [], unified_diff: null, note: null, observed_digest: null }
    const working_digest = target.codec.freeze(await editions.working(target)).digest
    const released_digest = (await editions.released(target))?.digest ?? null
    const because = { drift: null, deviates: null, unknown_because: observation.detail }
    return { ...base, ...nothing, ...because, working_digest, released_digest }
  }
  const found = await judged(target, editions, observation.state)
  // What is known to differ is told; what seems to be the same is not known to be.
  const damaged = found.drift ? null : await editions.damageIn(target)
  return {
    ...base,
    ...found,
    drift: damaged === null ? found.drift : null,
    unknown_because: damaged,
    observed_digest: observation.digest,
  }
}
