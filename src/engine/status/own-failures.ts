/**
 * What differs only because our own write of it failed, or was not made yet, part by part. Each part of the world is compared
 * with what was applied there last:
 *
 *   it is what was applied last, and the newest release asks for another   rejected, with why
 *   it never stood there, nor does it now                                  rejected, with why
 *   it is another                                                          as the table of causes says: a hand was there
 */
import { BY_HAND, type ExplainedDifference } from '../../model/drift.ts'
import type { Applied } from '../../ports/store.ts'
import { stoodLast, type StoodLastParts } from '../editions/stood-last.ts'
import type { AnyTarget } from '../target.ts'

/** Why something that was released does not stand there, in a sentence. */
export type WhyNot = (item: string) => string

export interface LeftAlone {
  /** What was written last; null where nothing was, or at another place. */
  readonly applied: Applied | null
  /** Nothing of ours can have stood there before, so that nobody can have taken it away. */
  readonly is_first: boolean
  /** The world now, and what names it. */
  readonly state: unknown
  readonly observed: string
  /** The last pass could write nothing of it at all. */
  readonly failed_whole: boolean
  readonly why: WhyNot
}

/** Of a key at which the newest release was never seen. */
export async function withOwnFailures(
  target: AnyTarget,
  parts: StoodLastParts,
  differences: readonly ExplainedDifference[],
  left: LeftAlone,
): Promise<readonly ExplainedDifference[]> {
  if (!differences.some(({ cause }) => BY_HAND.has(cause))) return differences
  const hands = await byHands(target, parts, left)
  const isOwn = ({ item, cause }: ExplainedDifference): boolean =>
    BY_HAND.has(cause) &&
    (hands === null ? left.is_first && cause === 'lost' : !hands.some((one) => one.item === item))
  const own_parts = differences.map((one): ExplainedDifference =>
    isOwn(one)
      ? { ...one, cause: 'rejected', detail: `deployed and not in place: ${left.why(one.item)}` }
      : one,
  )
  // Where every part is told as ours, what a hand did to the whole, such as its layout, is told beside them.
  const of_whole = (hands ?? []).filter(
    ({ item }) => item === target.place && !differences.some((one) => one.item === item),
  )
  return [...of_whole, ...own_parts]
}

/**
 * What is not as it was applied last; null where that is not known. A target that is written part by part decides the cause
 * of each by what was asked for it.
 */
async function byHands(
  target: AnyTarget,
  parts: StoodLastParts,
  { applied, observed, state, failed_whole }: LeftAlone,
): Promise<readonly ExplainedDifference[] | null> {
  if (applied?.observed === observed && (target.whole || failed_whole)) return []
  if (!target.whole) return null
  const before = await stoodLast(target, parts, applied)
  if (before === null) return null
  const sides = { working: before.desired, released: before.desired, observed: state, rows_moved: false }
  return target.explain(sides).differences.filter(({ cause }) => BY_HAND.has(cause))
}
