/** The serial of a zone: secondaries take a zone only when it has grown (RFC 1982), so it grows with every change. */
import type { Instant } from '../../../../kernel/clock.ts'

const MODULUS = 2 ** 32

/** RFC 1982 §3.2: whether `a` comes after `b` on the circle of 32 bits. */
export const isAfter = (a: number, b: number): boolean => {
  const ahead = (a - b + MODULUS) % MODULUS
  return ahead > 0 && ahead < MODULUS / 2
}

/** YYYYMMDD01 of the day in UTC: the first serial of a day, and of a new zone. */
export function dateSerial(now: Instant): number {
  return Number(`${new Date(now).toISOString().slice(0, 10).replaceAll('-', '')}01`)
}

/**
 * Keeps the style YYYYMMDDnn where the present serial has it and today's would be growth, else adds one: on a day's
 * hundredth change, after a clock that stepped back, and in every other style. Never zero, which some servers take for
 * "make one up".
 */
export function nextSerial(present: number, now: Instant): number {
  const today = dateSerial(now)
  if (looksLikeDate(present) && isAfter(today, present)) return today
  return (present + 1) % MODULUS || 1
}

function looksLikeDate(serial: number): boolean {
  const match = /^((?:19|20)\d\d)(\d\d)(\d\d)\d\d$/.exec(String(serial))
  if (match === null) return false
  const [, year, month, day] = match.map(Number)
  const date = new Date(Date.UTC(year!, month! - 1, day))
  return date.getUTCMonth() === month! - 1 && date.getUTCDate() === day
}
