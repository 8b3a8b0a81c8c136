/**
 * A condition says what hindered the last pass, and what is observed for an answer is newer: where the two tell different
 * stories, that of the pass is said as of then. Pure.
 */
import { saysTheSame, shown } from '../../engine/status/same-words.ts'
import { type Instant, isoTime } from '../../kernel/clock.ts'
import type { Condition } from '../../model/condition.ts'
import type { Reaction } from '../../model/reaction.ts'

type Part = Pick<Condition, 'status' | 'reason' | 'message'>

/** @param passed_at null where no pass of this process is known */
export function messageOf(condition: Part, reaction: Reaction, passed_at: Instant | null): string {
  if (passed_at === null || !isOfThen(condition, reaction)) return condition.message
  return `As of the pass at ${isoTime(passed_at)}: ${condition.message}`
}

/** What stands in the way now, or that something does, is another thing than what did. */
function isOfThen({ status, reason, message }: Part, { will, because }: Reaction): boolean {
  if (status !== 'false' || !TELLS_WHAT_HINDERS.has(will)) return false
  if (reason === 'refused') return will !== 'refuse' || !saysTheSame(shown(because), message)
  return reason === 'failing' && will !== 'try_again'
}

/** Not where nothing could be seen, or nothing is to be done whatever is there. */
const TELLS_WHAT_HINDERS: ReadonlySet<Reaction['will']> = new Set([
  'leave_alone',
  'repair',
  'try_again',
  'refuse',
])
