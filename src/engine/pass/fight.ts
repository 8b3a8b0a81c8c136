/**
 * When two hands fight over one state: somebody put it back three times within an hour, and that goes on until an hour has
 * passed without another change of theirs. Pure.
 */
import { type Instant, isFromAhead, type Milliseconds } from '../../kernel/clock.ts'
import type { Revert } from '../../ports/records/trails.ts'

/** After this many reverts within the window, repairs stop: someone else is writing the same state. */
export const MAX_REVERTS = 3
export const REVERTS_WITHIN_MS: Milliseconds = 3_600_000
/** Under which name those of them are counted that let in more, whichever state each of them was. */
export const siegeOf = (key: string): string => `${key} opened`
/** A change that was left where it is instead of being undone: it counts for how long the fight lasts, not for how often. */
const LEFT = 'left '

export interface Fight {
  /** How often the state was put back. */
  readonly times: number
  /** It is over then, if nobody changes anything. */
  readonly until: Instant
}

/** @param reverts of one key, the oldest first */
export const fightOver = (reverts: readonly Revert[], observed: string, now: Instant): Fight | null => {
  const theirs = reverts.filter(
    (revert) => revert.observed === observed || revert.observed === LEFT + observed,
  )
  return fightAmong(theirs, now)
}

/** Whichever state each of them was. It begins anew after an hour without any. */
export function fightAmong(reverts: readonly Revert[], now: Instant): Fight | null {
  const past = reverts.filter(({ at }) => !isFromAhead(at, now))
  const last = past.at(-1)
  if (last === undefined) return null
  const begins = past.findLastIndex(({ at }, i) => at - (past[i - 1]?.at ?? -Infinity) >= REVERTS_WITHIN_MS)
  const times = past.slice(begins).flatMap(({ observed, at }) => (observed.startsWith(LEFT) ? [] : [at]))
  const is_fight = times.some((at, i) => at - (times[i - MAX_REVERTS + 1] ?? -Infinity) < REVERTS_WITHIN_MS)
  const until = last.at + REVERTS_WITHIN_MS
  return is_fight && now < until ? { times: times.length, until } : null
}

/** To be kept when the state is left where it is; null where its newest change is kept already. */
export const changeLeft = (reverts: readonly Revert[], { key, observed, at }: Revert): Revert | null => {
  const left = LEFT + observed
  return reverts.at(-1)?.observed === left ? null : { key, observed: left, at }
}
