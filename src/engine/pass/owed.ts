/**
 * Which differences are owed to whoever released: those that the release moved, and those that callers asked for. All else
 * that differs is somebody else's doing. In `observe` the engine's own retry writes what is owed and nothing else.
 */
import { isTheirs, type Whose } from '../../model/whose.ts'
import type { Applied } from '../../ports/store.ts'
import { portionOf, type Released } from '../editions/editions.ts'
import { stoodLast, type StoodLastParts } from '../editions/stood-last.ts'
import { keysOf } from './result.ts'
import { type RefusedItems, wishOf } from './refused-items.ts'
import type { AnyTarget, Difference } from '../target.ts'

interface OwedParts extends StoodLastParts {
  readonly refused_items: Pick<RefusedItems, 'isOwed' | 'rest'>
}

interface OwedFacts {
  readonly applied: Applied | null
  readonly released: Released
  /** The world as it was found. */
  readonly state: unknown
  readonly differences: readonly Difference<unknown>[]
  readonly asked_for: Whose | null
}

/** By the key of the difference. Of what is written as a whole all is owed, or nothing. */
export async function owedOf(
  target: AnyTarget,
  parts: OwedParts,
  { applied, released, state, differences, asked_for }: OwedFacts,
): Promise<ReadonlySet<string>> {
  const isAsked = ({ domain_ids }: Difference<unknown>) =>
    asked_for !== null && isTheirs(asked_for, domain_ids)
  if (applied?.digest === portionOf(target, released)) return keysOf(differences.filter(isAsked))
  const before = target.whole ? null : await stoodLast(target, parts, applied)
  if (before === null) return keysOf(differences)
  const then = new Map(target.diff(before.desired, state).map((one) => [one.key, wishOf(one)]))
  return keysOf(
    differences.filter(
      (one) =>
        isAsked(one) || parts.refused_items.isOwed(target.key, one.key) || then.get(one.key) !== wishOf(one),
    ),
  )
}
