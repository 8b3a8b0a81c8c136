/** How long to wait before trying again: exponential with equal jitter, so that many keys that fail together do not return together. */
import type { Instant, Milliseconds } from '../clock.ts'

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

interface Tried {
  readonly failures: number
  readonly next_attempt_at: Instant
}

interface FailedNow {
  readonly policy: BackoffPolicy
  readonly now: Instant
  readonly random: number
  readonly retry_after_ms: Milliseconds
}

/**
 * After one more failure. One that comes before the wait is over, as with several callers within one outage, tells nothing
 * that was not known: it is no further step and lengthens no wait, unless the other side asks for a longer one.
 * @param present of the failures before it; null for none
 */
export function nextTry(
  present: Tried | null,
  { policy, now, random, retry_after_ms }: FailedNow,
): { readonly failures: number; readonly at: Instant } {
  if (present !== null && present.next_attempt_at > now) {
    const kept = Math.min(present.next_attempt_at, now + policy.max_ms)
    return { failures: present.failures, at: Math.max(kept, now + retry_after_ms) }
  }
  const failures = (present?.failures ?? 0) + 1
  return { failures, at: now + backoffDelay(policy, failures, random, retry_after_ms) }
}
