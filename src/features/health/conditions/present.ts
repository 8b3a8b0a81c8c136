/** A condition as callers see it. */
import { isoTime } from '../../../kernel/clock.ts'
import type { Condition } from '../../../model/condition.ts'

export type PresentedCondition = Pick<Condition, 'status' | 'reason' | 'message' | 'observed_revision'> & {
  readonly last_transition_at: string
}

export const presentCondition = (condition: Condition): PresentedCondition => ({
  status: condition.status,
  reason: condition.reason,
  message: condition.message,
  observed_revision: condition.observed_revision,
  last_transition_at: isoTime(condition.last_transition_at),
})
