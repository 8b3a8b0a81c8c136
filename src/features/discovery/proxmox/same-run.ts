/** Whether a virtual machine goes on running, by what its cluster lists. Pure. */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import type { Replaced } from '../model/guest-memory-port.ts'
import type { ListedGuest } from './read-guests.ts'

/** Settings of a virtual machine hold from its next start on; those of a container at once. */
export const isSameRun = (before: ListedGuest, now: ListedGuest): boolean =>
  mayRun(before) && mayRun(now) && (uptimeOf(now) ?? Infinity) >= (uptimeOf(before) ?? 0)

/** One whose node does not answer, too. */
const mayRun = ({ kind, state }: ListedGuest): boolean => kind === 'qemu' && state !== 'stopped'

const uptimeOf = ({ state, uptime_s }: ListedGuest): number | null => (state === 'unknown' ? null : uptime_s)

export const startOf = (guest: ListedGuest, now: Instant): Instant | null => {
  const uptime_s = uptimeOf(guest)
  return uptime_s === null ? null : now - uptime_s * 1000
}

/** A clock that is set by less than that starts no guest anew. */
const CLOCK_MAY_DIFFER_MS: Milliseconds = 10 * 60_000

/** Whether it runs as it did when we looked last. Where the time of its start is not told, it may. */
export function hasRunSince(replaced: Replaced | null, guest: ListedGuest, now: Instant): boolean {
  if (replaced === null || !mayRun(guest)) return false
  const started_at = startOf(guest, now)
  if (started_at === null || replaced.started_at === null) return true
  return started_at <= replaced.started_at + CLOCK_MAY_DIFFER_MS
}
