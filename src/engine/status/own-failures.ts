/** What is missing in a world that nobody has touched since we wrote there last: our own write, which failed. Pure. */
import type { DriftCause, ExplainedDifference } from '../../model/drift.ts'
import type { Applied, Attempt } from '../../ports/store.ts'

export interface LeftAlone {
  /** What was written last; null where nothing was, or at another place. */
  readonly applied: Applied | null
  /** Nothing of ours can have stood there before, so that nobody can have taken it away. */
  readonly is_first: boolean
  /** What names the world now. */
  readonly observed: string
  /** The newest release was never seen there. */
  readonly is_behind: boolean
  /** Of the tries to write it; null where there was none. */
  readonly attempt: Pick<Attempt, 'message'> | null
}

/** What the sides alone look like where somebody else was at work. */
const BY_OTHERS: ReadonlySet<DriftCause> = new Set(['edited', 'edited_and_pending', 'lost'])

export function withOwnFailures(
  differences: readonly ExplainedDifference[],
  { applied, is_first, observed, is_behind, attempt }: LeftAlone,
): readonly ExplainedDifference[] {
  if (attempt === null || !is_behind) return differences
  const is_untouched = applied?.observed === observed
  return differences.map((one) =>
    (is_untouched && BY_OTHERS.has(one.cause)) || (is_first && one.cause === 'lost')
      ? { ...one, cause: 'rejected', detail: `deployed and not in place: ${attempt.message}` }
      : one,
  )
}
