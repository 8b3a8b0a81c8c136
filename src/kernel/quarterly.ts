/** When credentials are rotated: the last Sunday of March, June, September and December at 02:00 UTC. Pure. */
import type { Instant, Milliseconds } from './clock.ts'

const DAY_MS: Milliseconds = 24 * 3_600_000
const MONTHS = [2, 5, 8, 11] as const
const HOUR = 2

/** How long a credential goes on after its successor was issued. */
export const GRACE_MS: Milliseconds = DAY_MS

/** The first rotation after `t`. */
export const nextRotation = (t: Instant): Instant => rotationsAround(t).find((at) => at > t)!

/** The newest rotation that is not after `t`. */
export const latestRotation = (t: Instant): Instant => rotationsAround(t).findLast((at) => at <= t)!

/** What was issued so shortly before a rotation is the successor that it asks for. */
const AHEAD_MS: Milliseconds = 30 * DAY_MS

/** Whether a credential is to be rotated: it was there for the latest rotation, and not only just. */
export const isRotationDue = (created_at: Instant, now: Instant): boolean =>
  created_at < latestRotation(now) - AHEAD_MS

/** Those of the year of `t` and of its neighbours, in order. */
function rotationsAround(t: Instant): Instant[] {
  const year = new Date(t).getUTCFullYear()
  return [year - 1, year, year + 1].flatMap((one) => MONTHS.map((month) => lastSunday(one, month)))
}

function lastSunday(year: number, month: number): Instant {
  const last = new Date(Date.UTC(year, month + 1, 0, HOUR))
  return last.getTime() - last.getUTCDay() * DAY_MS
}
