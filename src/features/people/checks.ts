/** Users of the SSO provider: until it has read the users file again, whoever was revoked there signs in as before. */
import type { PartAdvice } from '../../core/finding.ts'
import { isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { Deps } from './deps.ts'
import type { Owed } from './reloader.ts'
import { drifting, type HealthCheck, healthy, type LookedAt, onItsWay } from '../../core/check.ts'

const EVERY_MS: Milliseconds = 10_000
/** A restart waits for its turn, and may take half a minute to come up. */
const MAX_MS: Milliseconds = 90_000

export const usersCheck = ({ people, clock }: Pick<Deps, 'people' | 'clock'>): HealthCheck => ({
  name: 'sso_users',
  kind: 'watch',
  configured: people.users !== null && people.reloader.restarts_provider,
  every_ms: EVERY_MS,
  look: async () => evaluateUsers(await people.reloader.owed(), clock.now()),
  advises: ({ cause }) => (cause === 'not_loaded' ? NOT_LOADED : {}),
})

/** By the time that the check says so, it has lasted. */
const NOT_LOADED: Partial<PartAdvice> = {
  kind: 'not_loaded',
  severity: 'urgent',
  alert_after_ms: 0,
  remedy: 'Restart the SSO provider by hand, and see why PLUMBLINE_SSO_RESTART does not.',
}

/** Pure. @param owed what the provider has not read; null for nothing */
function evaluateUsers(owed: Owed | null, now: number): LookedAt {
  if (owed === null) return healthy('The provider has read the users file as it is.')
  const { since, failure } = owed
  const details = { owed_since: isoTime(since) }
  const age_ms = now - since
  // A time ahead of ours was kept under a wrong clock.
  if (failure === null && age_ms >= 0 && age_ms <= MAX_MS)
    return onItsWay('The provider is being restarted for its users.', { details })
  const why = failure ?? 'The SSO provider has not been restarted since the users file was written.'
  return drifting('not_loaded', `${why} Whoever was revoked since then signs in as before.`, { details })
}
