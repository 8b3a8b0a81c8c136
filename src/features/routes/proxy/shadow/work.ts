/**
 * How much may be done with the patterns of strangers. Whoever asks many of them shares one measure, so that no file and no
 * container keeps a look, or the event loop, for long.
 */
export interface Work {
  /** Places of patterns that may still be looked at, each at one character of a host. */
  left: number
  /** Something was not judged for want of it. */
  fell_short: boolean
}

/** Some 20 ms. */
const AT_ONCE = 200_000
/** Some one or two seconds, in as many turns of the event loop as that takes. */
const OF_LOOK = 10_000_000

export const workAtOnce = (): Work => ({ left: AT_ONCE, fell_short: false })

/** Of one look at all routers of others. */
export const workOfLook = (): Work => ({ left: OF_LOOK, fell_short: false })

/** Takes so much of it. False where that is not left. */
export function has(work: Work, places: number): boolean {
  if (work.fell_short || places > work.left) {
    work.fell_short = true
    return false
  }
  work.left -= places
  return true
}

/** What is asked in one turn of the event loop has its share of a look, and no more. */
export function inOneTurn<T>(look: Work, ask: (work: Work) => T): T {
  const share = Math.max(0, Math.min(AT_ONCE, look.left))
  const work: Work = { left: share, fell_short: false }
  const answer = ask(work)
  look.left -= share - work.left
  if (work.fell_short) look.fell_short = true
  return answer
}
