/** Looking without touching: one observation, compared with both editions and explained. Nobody here calls `apply`. */
import type { Clock, Instant, Milliseconds } from '../kernel/clock.ts'
import type { DriftState, ExplainedDifference } from '../model/drift.ts'
import { boundedLook } from './bounded-look.ts'
import type { Editions } from './editions.ts'
import type { AnyTarget } from './target.ts'

export interface Look {
  readonly component: string
  readonly key: string
  /** Does the world differ from the working edition? Null when it could not be read. */
  readonly drift: DriftState
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

export async function lookAt(
  target: AnyTarget,
  parts: { readonly editions: Editions; readonly clock: Clock; readonly most_ms?: Milliseconds },
  signal: AbortSignal,
): Promise<Look> {
  const { editions } = parts
  const working = await editions.working(target)
  const released = await editions.released(target)
  const rows_moved = await editions.rowsMoved()
  const observation = await boundedLook(target, parts, signal)
  const base = {
    component: target.name,
    key: target.key,
    working_digest: target.codec.freeze(working).digest,
    released_digest: released?.digest ?? null,
    observed_at: observation.at,
  }
  if (!observation.known) {
    const nothing = { differences: [], unified_diff: null, note: null }
    return { ...base, ...nothing, drift: null, unknown_because: observation.detail, observed_digest: null }
  }
  const sides = { working, released: released?.desired ?? null, observed: observation.state, rows_moved }
  return {
    ...base,
    ...target.explain(sides),
    drift: isDifferent(target, working, observation.state),
    unknown_because: null,
    observed_digest: observation.digest,
  }
}

const isDifferent = (target: AnyTarget, working: unknown, state: unknown): boolean =>
  target.diff(working, state).length > 0 || (target.obstacles?.(working, state) ?? []).length > 0
