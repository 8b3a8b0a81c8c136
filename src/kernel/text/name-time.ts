/** The time as a part of a file's name. */

/** Whoever is further ahead than that is a clock that was set back. */
const MAX_AHEAD_MS = 1000
let last = 0

/** `20261129T081050.123Z`, which sorts as text. Of two within one millisecond of this process the later one sorts behind. */
export function nameTime(): string {
  const now = Date.now()
  last = now > last || last - now > MAX_AHEAD_MS ? now : last + 1
  return new Date(last).toISOString().replaceAll(/[-:]/g, '')
}
