/** A site token as callers see it: everything but the secret, which is nowhere any more. */
import { type Instant, isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import type { DdnsToken } from '../records.ts'
import { isDue } from './rotate-by-schedule.ts'
import { hasEnded } from '../../../kernel/issued-secret.ts'
import type { TokenView } from '../views.ts'

export const tokenView = (token: DdnsToken, now: Instant): TokenView => ({
  id: token.id,
  host: token.host,
  label: token.label,
  state: stateOf(token, now),
  created_at: isoTime(token.created_at),
  expires_at: isoTimeOrNull(token.expires_at),
  last_used_at: isoTimeOrNull(token.last_used_at),
})

function stateOf(token: DdnsToken, now: Instant): TokenView['state'] {
  if (hasEnded(token, now)) return 'ended'
  if (token.expires_at !== null) return 'ending'
  return isDue(token, now) ? 'rotation_due' : 'valid'
}
