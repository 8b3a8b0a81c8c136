/** Whether one component is known to be right for one domain, and since when. Unknown is its own answer. */
import type { Instant } from '../kernel/clock.ts'

export const CONDITION_STATUSES = ['true', 'false', 'unknown'] as const
export type ConditionStatus = (typeof CONDITION_STATUSES)[number]

/** Why a condition has its status. Closed, so that alerts can be written against it. */
export const CONDITION_REASONS = [
  'in_sync',
  'pending_deploy',
  'drifting',
  'unfinished',
  'contested',
  'refused',
  'failing',
  'unreadable',
  'suspended',
  'not_rendered',
  'stale',
  'never_looked',
] as const
export type ConditionReason = (typeof CONDITION_REASONS)[number]

export interface Condition {
  /** 0 holds for every domain that has no row of its own. */
  readonly domain_id: number
  /** The key of what is kept true: the component's name, where the component has one key. */
  readonly component: string
  readonly status: ConditionStatus
  readonly reason: ConditionReason
  /** For people, with the figures of the last look. Another figure alone is no news. */
  readonly message: string
  /** Released revision that the look was compared with; null where no domain is meant. */
  readonly observed_revision: number | null
  /** When `status` last changed; a new reason or message does not move it. */
  readonly last_transition_at: Instant
}
