/** What the reconciler does with a difference by itself, and when. */
import type { Difference, HealthComponent } from '../api/types.ts'
import { leftText, parseTimeOr, untilText } from './ages.ts'

type Row = Pick<HealthComponent, 'mode' | 'reason' | 'next_attempt_at' | 'suspended_until'>

/** Of the key that the difference is of; without its row nothing is promised. */
export function nextText(
  { cause, acts }: Pick<Difference, 'cause' | 'acts'>,
  row: Row | undefined,
  now: number,
): string | null {
  if (cause === 'foreign_owner') return 'never touched without you.'
  if (row === undefined) return null
  const { mode, reason, next_attempt_at, suspended_until } = row
  const end = parseTimeOr(suspended_until)
  if (mode === 'suspend')
    return end === null
      ? 'nothing, it is suspended.'
      : `nothing, it is suspended for another ${leftText(end, now)}.`
  if (reason === 'contested') return 'nothing, until an hour after their last change, or a deploy.'
  if (mode === 'observe') return 'nothing by itself, it is only observed.'
  const at = parseTimeOr(next_attempt_at)
  const when = at === null ? '' : ` ${untilText(at, now)}`
  const repair = acts.find(({ id }) => id === 'repair')
  if (repair === undefined) return `looked at again${when}, and nothing is written.`
  return repair.why_not === null ? `put back by itself${when}.` : `tried again${when}.`
}
