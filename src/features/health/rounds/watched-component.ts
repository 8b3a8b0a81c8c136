/** What a check's last look says by now. Pure: a look that failed, or that is too old, leaves the part unknown. */
import { type Instant, type Milliseconds, upcoming } from '../../../kernel/clock.ts'
import type { HealthComponent, HealthFinding } from '../../../model/health.ts'
import type { HealthCheck, LookedAt, Watched } from '../../../core/check.ts'
import type { Taken } from './kept-look.ts'

export interface Looked {
  readonly check: HealthCheck
  /** Null before the first look. */
  readonly last: Taken<LookedAt> | null
  /** Since when it is what it is now; null before the first look. */
  readonly since: Instant | null
}

const ROUNDS_MISSED = 3
const MIN_STALENESS_MS: Milliseconds = 90_000

/** How old may be what a check tells. */
const staleAfter = ({ every_ms, stale_after_ms }: HealthCheck): Milliseconds =>
  stale_after_ms ?? Math.max(ROUNDS_MISSED * every_ms, MIN_STALENESS_MS)

/** What a transition is counted by. */
export const stateOf = (taken: Taken<LookedAt>): string =>
  taken.known ? `${taken.value.ok} ${taken.value.drift}` : 'unknown'

export const watchedParts = (all: readonly Looked[], now: Instant): readonly Watched[] =>
  all.map((one) => ({ check: one.check, part: watchedComponent(one, now) }))

export function watchedComponent({ check, last, since }: Looked, now: Instant): HealthComponent {
  const { name, component = name, kind } = check
  const base = { name, component, kind, next_attempt_at: null, mode: null, suspended_until: null }
  const never = { observed_at: null, stale_after: null, stale: false, since: null }
  if (!check.configured) return { ...base, ...never, ...NOT_SET_UP, configured: false }
  if (last === null) return { ...base, ...never, ...NEVER_LOOKED, configured: true }
  const value = last.known ? last.value : null
  // A finding is as old as what it tells; a look that failed is as old as itself.
  const observed_at = value?.observed_at ?? last.at
  const stale_after = observed_at + staleAfter(check)
  const times = { observed_at, stale_after, stale: now > stale_after }
  if (times.stale)
    return { ...base, ...times, ...STALE, configured: true, since: Math.max(since ?? 0, stale_after) }
  if (value === null) return { ...base, ...times, ...silence(last), configured: true, since }
  return {
    ...value,
    ...base,
    ...times,
    configured: value.reason !== 'not_configured',
    since,
    next_attempt_at: upcoming(value.next_attempt_at ?? null, now),
  }
}

const nothing = { cause: null, causes: {}, differences: [], details: {} } as const

const NOT_SET_UP: HealthFinding = {
  ...nothing,
  ok: true,
  drift: false,
  reason: 'not_configured',
  message: 'It is not set up.',
}

const unknown = (reason: HealthFinding['reason'], message: string): HealthFinding => ({
  ...nothing,
  ok: false,
  drift: null,
  reason,
  message,
})

const NEVER_LOOKED = unknown('never_looked', 'Nobody has looked at it yet.')
const STALE = unknown('stale', 'The last look is too old to say.')

const silence = (last: Taken<LookedAt>): HealthFinding =>
  last.known ? NEVER_LOOKED : unknown(last.reason, last.message)
