/** `Retry-After` (RFC 9110 §10.2.3): seconds, or a date in one of the three forms of HTTP. */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'

// Longer than any published ban; a slip of the other side must not switch a provider off for good.
const MOST_MS = 24 * 60 * 60 * 1000

const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/** Milliseconds from `now`, at most a day; null when the header is missing or makes no sense. A date gone by is 0. */
export function retryAfter(value: string | undefined, now: Instant): Milliseconds | null {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(MOST_MS, Number(text) * 1000)
  if (!DATE.test(text)) return null
  // The asctime form has no zone, and is UTC all the same.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.min(MOST_MS, Math.max(0, at - now))
}
