/** A certificate as callers see it. */
import { type Instant, isoTime, type Milliseconds } from '../../../kernel/clock.ts'
import type { CertificateFacts } from '../../../model/network/certificate.ts'

export const CERTIFICATE_STATES = ['expired', 'under_14_days', 'under_30_days', 'healthy'] as const
export type CertificateState = (typeof CERTIFICATE_STATES)[number]

const DAY_MS: Milliseconds = 24 * 3_600_000

/** Of a certificate that ends then. */
function stateOf({ not_after }: CertificateFacts, now: Instant): CertificateState {
  const left = not_after - now
  if (left <= 0) return 'expired'
  if (left < 14 * DAY_MS) return 'under_14_days'
  return left < 30 * DAY_MS ? 'under_30_days' : 'healthy'
}

/** Named one by one: what is added to the facts does not show itself. */
export const shown = (facts: CertificateFacts) => ({
  names: facts.names,
  not_before: isoTime(facts.not_before),
  not_after: isoTime(facts.not_after),
  issuer: facts.issuer,
  serial: facts.serial,
  key_type: facts.key_type,
  fingerprint: facts.fingerprint,
})

export const shownWithState = (facts: CertificateFacts, now: Instant) => ({
  ...shown(facts),
  state: stateOf(facts, now),
})
