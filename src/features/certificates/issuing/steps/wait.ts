/** Waiting within one call for what others do, so that a caller who waits for a certificate mostly gets it. */
import type { Clock, Milliseconds } from '../../../../kernel/clock.ts'

const MAX_MS: Milliseconds = 120_000
const PACES: readonly Milliseconds[] = [500, 1000, 2000, 3000]
const SLOWEST: Milliseconds = 5000

/**
 * Looks until there is an answer. Null when time is up.
 * @param look null for not yet
 */
export async function until<T>(
  clock: Clock,
  signal: AbortSignal,
  look: () => Promise<T | null>,
): Promise<T | null> {
  const end = clock.elapsed() + MAX_MS
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted()
    const found = await look()
    if (found !== null || clock.elapsed() >= end) return found
    await clock.sleep(PACES[tries] ?? SLOWEST, signal)
  }
}
