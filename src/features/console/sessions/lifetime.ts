/**
 * How long a sign-in lasts, and which of its times are to be saved. Pure. A time ahead of ours is of a clock that was set back
 * since: it is taken down to now, or both limits would wait until the clock has caught up.
 */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { SessionRow } from '../records.ts'

const HOUR_MS: Milliseconds = 3_600_000
const IDLE_MS: Milliseconds = 12 * HOUR_MS
const MAX_AGE_MS: Milliseconds = 7 * 24 * HOUR_MS

type SessionTimes = Pick<SessionRow, 'created_at' | 'used_at'>

export const endOf = ({ created_at, used_at }: SessionTimes): Instant =>
  Math.min(created_at + MAX_AGE_MS, used_at + IDLE_MS)

export const takenDown = ({ created_at, used_at }: SessionTimes, now: Instant): SessionTimes => ({
  created_at: Math.min(created_at, now),
  used_at: Math.min(used_at, now),
})

/** Forward by more than that, or back at all. */
export const hasMoved = (saved: SessionTimes, times: SessionTimes, least_ms: Milliseconds): boolean =>
  times.created_at < saved.created_at ||
  times.used_at < saved.used_at ||
  times.used_at - saved.used_at > least_ms
