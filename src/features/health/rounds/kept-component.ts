/** What the engine keeps true, as a part of the health page: a projection of its status. Pure. */
import type { KeyStatus } from '../../../engine/status/key-status.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { type HealthComponent, type HealthFinding, MAX_DIFFERENCES } from '../../../model/health.ts'

export function keptComponent(status: KeyStatus, now: Instant): HealthComponent {
  const { component, key, ok, drift, cause, causes, reason, message, mode, observed } = status
  return {
    name: key,
    component,
    kind: 'kept',
    configured: true,
    ok,
    drift,
    cause,
    causes,
    reason,
    message,
    ...(status.is_of_some && { of_some: true }),
    differences: status.differences.slice(0, MAX_DIFFERENCES),
    details: {},
    observed_at: status.seen_at,
    stale_after: status.stale_after,
    stale: observed === null && reason === 'stale',
    since: status.since,
    next_attempt_at: status.next_attempt_at,
    mode: mode.mode,
    suspended_until: mode.mode === 'suspend' && (mode.expires_at ?? now) >= now ? mode.expires_at : null,
  }
}

/** Somebody wanted to know how it is now, and nothing could be looked at. */
export const unlooked = (
  status: KeyStatus,
  { reason, message }: Pick<HealthFinding, 'reason' | 'message'>,
  now: Instant,
): HealthComponent => ({
  ...keptComponent(status, now),
  ok: false,
  drift: null,
  cause: null,
  causes: {},
  reason,
  message,
  of_some: undefined,
  differences: [],
  observed_at: now,
})
