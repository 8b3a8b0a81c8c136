/**
 * What an observation of a key means, and what the engine does about it. Pure, and decided once for everybody: a pass acts
 * on it; plans, explanations and the conditions report it.
 *
 *   suspended                             stay_suspended
 *   the world could not be read           look_again
 *   nothing differs but an obstacle       refuse
 *   nothing differs                       leave_alone
 *   observe, the release was applied      only_report, unless a caller asks
 *   a guard is hit                        refuse
 *   earlier attempts failed               try_again, when the backoff ends
 *   else                                  repair
 */
import { asSentence } from '../../kernel/text/sentence.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { DriftState } from '../../model/drift.ts'
import type { GuardHit } from '../../model/plan.ts'
import type { Reaction } from '../../model/reaction.ts'
import type { Applied, Attempt, ModeSetting } from '../../ports/store.ts'
import { portionOf, type Released } from '../editions/editions.ts'
import type { AnyTarget, Difference, Observation, Obstacle } from '../target.ts'

/** The world beside the released edition. */
export interface Evaluation {
  /** Is the world other than what was released? Null when it could not be read. */
  readonly deviates: DriftState
  /** Why the world could not be read, else null. */
  readonly unknown_because: string | null
  /** What a repair would change. */
  readonly differences: readonly Difference<unknown>[]
  /** What only a person can move out of the way. */
  readonly obstacles: readonly Obstacle[]
}

const NOTHING: Evaluation = { deviates: false, unknown_because: null, differences: [], obstacles: [] }

/** As much of an observation as it takes. */
export type Readable =
  | Pick<Extract<Observation<unknown>, { known: true }>, 'known' | 'state'>
  | Pick<Extract<Observation<unknown>, { known: false }>, 'known' | 'detail'>

/** @param released null before the first release, from which nothing can deviate */
export function evaluate(target: AnyTarget, released: Released | null, observation: Readable): Evaluation {
  if (!observation.known) return { ...NOTHING, deviates: null, unknown_because: observation.detail }
  if (released === null) return NOTHING
  const differences = target.diff(released.desired, observation.state)
  const obstacles = obstaclesOf(target, released.desired, observation.state)
  return { ...NOTHING, deviates: isOther(differences, obstacles), differences, obstacles }
}

/** The world itself is other: notes of ours that are behind are none of its. */
export const isOther = (
  differences: readonly Difference<unknown>[],
  obstacles: readonly Obstacle[],
): boolean => obstacles.length > 0 || differences.some(({ is_note }) => is_note !== true)

export const obstaclesOf = (target: AnyTarget, desired: unknown, state: unknown): readonly Obstacle[] =>
  target.obstacles?.(desired, state) ?? []

export interface Decided {
  readonly evaluation: Pick<Evaluation, 'unknown_because' | 'differences' | 'obstacles'>
  readonly mode: ModeSetting
  /** False while the newest release was never seen in the world: finishing it is no self-repair. */
  readonly applied: boolean
  /** Null also where the guards are asked later: a pass asks them in the transaction that begins its write. */
  readonly guard: GuardHit | null
  readonly attempt: Pick<Attempt, 'failures' | 'message'> | null
  /** A caller wants the release in the world. */
  readonly asked: boolean
}

export function decide({ evaluation, mode, applied, guard, attempt, asked }: Decided): Reaction {
  const { unknown_because, differences, obstacles } = evaluation
  if (mode.mode === 'suspend')
    return {
      will: 'stay_suspended',
      because: `${by(mode)} suspended it ${until(mode)}${mode.reason === '' ? '.' : `: ${asSentence(mode.reason)}`}`,
    }
  if (unknown_because !== null) return { will: 'look_again', because: unknown_because }
  if (differences.length === 0)
    return obstacles[0] === undefined
      ? { will: 'leave_alone', because: 'The world is what was released.' }
      : { will: 'refuse', because: obstacles[0].failure.message }
  if (mode.mode === 'observe' && applied && !asked)
    return {
      will: 'only_report',
      because: `The mode is observe${mode.reason === '' ? '' : ` (${mode.reason})`}; a deploy repairs it.`,
    }
  if (guard !== null) return { will: 'refuse', because: guard.message }
  if (attempt !== null) {
    const tries = attempt.failures === 1 ? 'The last try failed' : `The last ${attempt.failures} tries failed`
    return { will: 'try_again', because: `${tries}: ${attempt.message}` }
  }
  return { will: 'repair', because: isOther(differences, obstacles) ? DIFFERS : NOTES_ARE_BEHIND }
}

const DIFFERS = 'The world differs from what was released.'
const NOTES_ARE_BEHIND = 'The world is what was released; only our own note of it is behind.'

const by = ({ actor }: ModeSetting): string => (actor === 'settings' ? 'The settings' : actor)
const until = ({ expires_at }: ModeSetting): string =>
  expires_at === null ? 'until it is taken back' : `until ${isoTime(expires_at)}`

/** Whether what was applied last is what is released now. */
export const isApplied = (target: AnyTarget, released: Released | null, applied: Applied | null): boolean =>
  applied?.digest === (released === null ? undefined : portionOf(target, released))
