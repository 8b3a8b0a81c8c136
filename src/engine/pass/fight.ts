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

/** Whichever state each of them was. */
export function fightAmong(reverts: readonly Revert[], now: Instant): Fight | null {
  let recent: Instant[] = []
  let last = -Infinity
  let is_fight = false
  for (const { observed, at } of reverts) {
    if (isFromAhead(at, now)) continue
    if (at - last >= REVERTS_WITHIN_MS) {
      recent = []
      is_fight = false
    }
    last = at
    if (observed.startsWith(LEFT)) continue
    recent.push(at)
    const first = recent.at(-MAX_REVERTS)
    is_fight ||= first !== undefined && at - first < REVERTS_WITHIN_MS
  }
  const until = last + REVERTS_WITHIN_MS
  return is_fight && now < until ? { times: recent.length, until } : null
}

/** To be kept when the state is left where it is; null where its newest change is kept already. */
export const changeLeft = (reverts: readonly Revert[], { key, observed, at }: Revert): Revert | null => {
  const left = LEFT + observed
  return reverts.at(-1)?.observed === left ? null : { key, observed: left, at }
}
