/** How long to wait before trying again: exponential with full jitter, so that many keys that fail together do not return together. */
import type { Milliseconds } from '../clock.ts'

export interface BackoffPolicy {
  readonly first_ms: Milliseconds
  readonly max_ms: Milliseconds
}

/**
 * The wait before attempt number `failures + 1`. Uniform between half and the whole of `first_ms * 2^(failures-1)`,
 * capped at `max_ms`; what the other side asked for (`Retry-After`) wins when it is longer.
 * @param random a number in [0, 1)
 */
export function backoffDelay(
  policy: BackoffPolicy,
  failures: number,
  random: number,
  retry_after_ms: Milliseconds = 0,
): Milliseconds {
  const ceiling = Math.min(policy.max_ms, policy.first_ms * 2 ** Math.min(Math.max(failures - 1, 0), 40))
  return Math.max(retry_after_ms, Math.round(ceiling / 2 + (random * ceiling) / 2))
}
