/**
 * Known differences: a person has said that they may stay, with a reason and an end. They are still reported, and a pass of
 * its own does not repair them. One holds for what stood there when it was said: where something else stands there, where
 * nothing differs any more, or where what stands there lets in more than what was released, it ends at once.
 */
import { digestOf } from '../../kernel/digest.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { AnyTarget, Difference } from '../target.ts'

export interface IgnoredDifference {
  /** As drift answers name it. */
  readonly item: string
  readonly key: string
  /** Key of the difference within `key`. */
  readonly part: string
  readonly component: string
  /** See `seenOf`. */
  readonly seen: string
  readonly reason: string
  readonly actor: string
  readonly created_at: Instant
  readonly until: Instant
}

export const IGNORED_ENDS = {
  over: 'its time is over',
  same: 'nothing differs there any more',
  changed: 'something else stands there now',
  opens: 'what stands there lets in more than what was released',
} as const
export type IgnoredEnd = keyof typeof IGNORED_ENDS

export interface IgnoredDifferences {
  /** Also those whose time is over, until `ended` is told of them. */
  of(key: string): readonly IgnoredDifference[]
  ended(rows: readonly IgnoredDifference[], why: IgnoredEnd): void
}

export const NONE_IGNORED: IgnoredDifferences = { of: () => [], ended: () => undefined }

/** What stood there and what should, as one digest. */
export const seenOf = ({ verb, before, after }: Difference<unknown>): string =>
  digestOf([verb, before, after])

export interface IgnoredFacts {
  readonly desired: unknown
  readonly state: unknown
  readonly differences: readonly Difference<unknown>[]
  readonly now: Instant
}

/** Keys of the differences that stay. What has ended is told. */
export function ignoredAmong(
  target: AnyTarget,
  ignored: IgnoredDifferences,
  { desired, state, differences, now }: IgnoredFacts,
): ReadonlySet<string> {
  const rows = ignored.of(target.key)
  if (rows.length === 0) return new Set()
  const by_key = new Map(differences.map((one) => [one.key, one]))
  const opens = target.opens?.(desired, state) === true
  const endOf = (row: IgnoredDifference): IgnoredEnd | null => {
    if (row.until <= now) return 'over'
    if (opens) return 'opens'
    const difference = by_key.get(row.part)
    if (difference === undefined) return 'same'
    return seenOf(difference) === row.seen ? null : 'changed'
  }
  const ends = Map.groupBy(rows, endOf)
  for (const [why, ended] of ends) if (why !== null) ignored.ended(ended, why)
  return new Set((ends.get(null) ?? []).map(({ part }) => part))
}
