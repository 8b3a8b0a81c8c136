/** When a key is worked on again. */
import { nextTry } from '../../kernel/async/backoff.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { AnyTarget } from '../target.ts'
import type { PassParts } from './pass-parts.ts'
import { isOfItems, type PassResult, waitsForPeople } from './result.ts'

/** The longest wait after a guard's refusal. */
const MAX_REFUSED_MS = 60_000

/** Single items that were refused wait by themselves; the others of the key are looked at as ever, and no later than so. */
const OF_ITEMS_MS = 30_000

/** After success at the resync period, after a failure by the persisted backoff. */
export async function spaceOut(target: AnyTarget, parts: PassParts, result: PassResult): Promise<Instant> {
  const now = parts.clock.now()
  // A suspension is no success: the ban that somebody else set stands.
  if (result.outcome === 'suspended') return now + target.every_ms
  if (result.outcome === 'left_unfinished') return now + result.failure!.retry_after_ms
  if (result.failure === null || waitsForPeople(result)) {
    await parts.memory.clearAttempt(target.key).catch(() => undefined)
    return now + target.every_ms
  }
  if (isOfItems(result)) {
    await parts.memory.clearAttempt(target.key).catch(() => undefined)
    const next_try = parts.refused_items.nextTry(target.key) ?? Infinity
    return Math.max(now, Math.min(now + target.every_ms, now + OF_ITEMS_MS, next_try))
  }
  // What a guard refuses it may let through at any time: a fight ends by itself.
  const max_ms = result.outcome === 'refused' ? MAX_REFUSED_MS : target.backoff.max_ms
  const policy = { ...target.backoff, max_ms: Math.min(max_ms, target.backoff.max_ms) }
  const next = nextTry(parts.memory.attempt(target.key), {
    policy:
      result.pressing === true ? { ...policy, max_ms: Math.min(policy.first_ms, policy.max_ms) } : policy,
    now,
    random: parts.random(),
    retry_after_ms: result.failure.retry_after_ms,
  })
  const attempt = {
    key: target.key,
    failures: next.failures,
    failed_at: now,
    next_attempt_at: next.at,
    message: result.failure.message,
  }
  await parts.memory.keepAttempt(attempt).catch((error: unknown) => {
    parts.log.error('backoff not persisted', { target: target.key, error })
  })
  return attempt.next_attempt_at
}
