/** When the next look at DNS is due. Pure: the timer only waits. */
import type { Instant, Milliseconds } from '../../../kernel/clock.ts'
import { MAX_PROPAGATION_MS, type Propagation } from './propagation.ts'

export const CHECK_EVERY_MS: Milliseconds = 600_000
const QUICK_FOR_MS: Milliseconds = 60_000
const QUICK_MS: Milliseconds = 2000
const STEADY_MS: Milliseconds = 10_000

/** True for a name that is looked at more often: also when a server failed meanwhile, as long as it may still arrive. */
export const isOnItsWay = ({ state, since }: Propagation, now: Instant): boolean =>
  state === 'propagating' || (state === 'unknown' && since !== null && now - since <= MAX_PROPAGATION_MS)

/** How long to wait before names on their way are looked at again; null when there are none. */
export function quickDelay(names: readonly Propagation[], now: Instant): Milliseconds | null {
  const ages = names.filter((found) => isOnItsWay(found, now)).map(({ since }) => now - (since ?? now))
  if (ages.length === 0) return null
  return Math.min(...ages) < QUICK_FOR_MS ? QUICK_MS : STEADY_MS
}

/** How long to wait in all. @param full_ms until the next check of everything */
export const nextDelay = (names: readonly Propagation[], now: Instant, full_ms: Milliseconds): Milliseconds =>
  Math.max(0, Math.min(full_ms, quickDelay(names, now) ?? full_ms))
