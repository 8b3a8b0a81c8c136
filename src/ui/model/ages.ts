/** How long ago something was seen, in words, and how much of its thread is left. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** From here on a date says more than a number of days. */
const FAR = 100 * DAY

/** `now`, `14 s`, `12 min`, `5 h`, `9 d`, then the date. Both in milliseconds. */
export function ageText(at: number, now: number): string {
  const age = now - at
  if (age < SECOND) return 'now'
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  if (age < DAY) return `${Math.floor(age / HOUR)} h`
  return age < FAR ? `${Math.floor(age / DAY)} d` : dateText(at)
}

const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** "12 min ago", "now", "on 2026-08-01". */
export function agoText(at: number, now: number): string {
  const text = ageText(at, now)
  if (text === 'now') return 'now'
  return /^\d{4}-/.test(text) ? `on ${text}` : `${text} ago`
}

/** "in 41 min", and "now" once it is due; what is far is a date, "on 2027-08-01". */
export function untilText(at: number, now: number): string {
  if (at - now < SECOND) return 'now'
  return at - now < FAR ? `in ${ageText(now, at)}` : `on ${dateText(at)}`
}

/** "in 34 d", and once it is over "expired 7 d ago". */
export const endText = (at: number, now: number): string =>
  at <= now ? `expired ${agoText(at, now)}` : untilText(at, now)

/** What is left until then: "50 min", or "420 d". */
export function leftText(at: number, now: number): string {
  if (at <= now) return '0 s'
  return at - now < FAR ? ageText(now, at) : `${Math.floor((at - now) / DAY)} d`
}

/** 1 is just seen, 0 is used up: from then on it is unknown. Null where nothing says when that is. */
export function threadLeft(at: number, staleAfter: number | null, now: number): number | null {
  if (staleAfter === null || staleAfter <= at) return null
  return Math.max(0, Math.min(1, (staleAfter - now) / (staleAfter - at)))
}

/** `9 ms`, `1.4 s`, `2 min`. */
export function tookText(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`
  return `${Math.round(ms / MINUTE)} min`
}

export const parseTime = (text: string): number => Date.parse(text)
export const parseTimeOr = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text)

const ABSOLUTE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'long',
})

/** With its zone: for whoever points at an age. */
export const absoluteText = (at: number): string => ABSOLUTE.format(at)
