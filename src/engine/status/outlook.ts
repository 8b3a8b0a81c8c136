/**
 * What the engine will do about a component on its own, decided from the same facts as a pass decides it.
 *
 *   suspended                        stay_suspended
 *   the world could not be read      look_again
 *   somebody stands in the way       refuse
 *   nothing differs                  leave_alone
 *   observe, release applied         only_report
 *   a guard is hit                   refuse
 *   earlier tries failed             try_again, when the backoff ends
 *   else                             repair
 */
import { isoTime } from '../../kernel/clock.ts'
import type { Outlook } from '../../model/outlook.ts'
import type { GuardHit } from '../../model/plan.ts'
import type { Attempt, ModeSetting } from '../../ports/store.ts'

export interface OutlookFacts {
  readonly mode: ModeSetting
  /** Why the world could not be read, else null. */
  readonly unknown_because: string | null
  /** How many differences there are between the world and what is released. */
  readonly differences: number
  /** What only a person can move out of the way, else null. */
  readonly obstacle: string | null
  /** True while the newest release was never seen in the world: finishing it is no self-repair. */
  readonly unfinished: boolean
  readonly guard: GuardHit | null
  readonly attempt: Attempt | null
}

/** Pure. */
export function outlookOf(facts: OutlookFacts): Outlook {
  const { mode, unknown_because, differences, obstacle, unfinished, guard, attempt } = facts
  if (mode.mode === 'suspend')
    return { will: 'stay_suspended', because: `${by(mode)} suspended it ${until(mode)}: ${mode.reason}` }
  if (unknown_because !== null) return { will: 'look_again', because: unknown_because }
  if (differences === 0 && obstacle !== null) return { will: 'refuse', because: obstacle }
  if (differences === 0) return { will: 'leave_alone', because: 'The world is what was released.' }
  if (mode.mode === 'observe' && !unfinished)
    return { will: 'only_report', because: `The mode is observe (${mode.reason}); a deploy repairs it.` }
  if (guard !== null) return { will: 'refuse', because: guard.message }
  if (attempt !== null) {
    const tries = attempt.failures === 1 ? 'The last try failed' : `The last ${attempt.failures} tries failed`
    return { will: 'try_again', because: `${tries}: ${attempt.message}` }
  }
  return { will: 'repair', because: 'The world differs from what was released.' }
}

const by = ({ actor }: ModeSetting): string => (actor === 'settings' ? 'The settings' : actor)
const until = ({ expires_at }: ModeSetting): string =>
  expires_at === null ? 'until it is taken back' : `until ${isoTime(expires_at)}`
