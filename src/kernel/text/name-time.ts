/** The time as a part of a file's name. */

/** Names that lie further ahead than that are of a clock that was set back, or of more copies than anybody makes. */
const MAX_AHEAD_MS = 1000
let last = 0

/**
 * `20261129T081050.123Z`, which sorts as text. Of two in this process the later one sorts behind, also within one
 * millisecond, and where the clock was set back by less than a second.
 */
export function nameTime(): string {
  const now = Date.now()
  last = now > last || last - now > MAX_AHEAD_MS ? now : last + 1
  return new Date(last).toISOString().replaceAll(/[-:]/g, '')
}
