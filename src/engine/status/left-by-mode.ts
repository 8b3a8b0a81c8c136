/** What a plan says of a key that a mode keeps from what the plan asks for there. Pure. */
import type { LeftByMode } from '../../model/plan.ts'
import type { ModeSetting } from '../../ports/store.ts'
import type { AnyTarget } from '../target.ts'

/** @param differences what would be done there otherwise; none leaves nothing to say */
export const leftBy = (
  { mode, reason, expires_at: until }: ModeSetting,
  { name: component, key }: Pick<AnyTarget, 'name' | 'key'>,
  differences: number,
): readonly LeftByMode[] => (differences === 0 ? [] : [{ component, key, mode, reason, until, differences }])
