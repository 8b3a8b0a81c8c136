/** Whether mail could be sent. */
import type { PartAdvice } from '../../core/finding.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { Deps } from './deps.ts'
import { mailHealth } from './health.ts'
import { type HealthCheck, healthy, impaired, type LookedAt, unknown } from '../../core/check.ts'
import type { MailHealth } from './views.ts'

/** It is a session with the provider each time. */
const EVERY_MS: Milliseconds = 5 * 60_000

export const mailCheck = ({ mail }: Pick<Deps, 'mail'>): HealthCheck => ({
  name: 'mail',
  kind: 'dependency',
  configured: mail.mailer !== null,
  every_ms: EVERY_MS,
  look: async ({ signal, afresh }) => evaluateMail(await mailHealth(mail, signal, { afresh })),
  advises: ({ cause }) => ADVICE[cause ?? ''] ?? {},
})

const ADVICE: Readonly<Record<string, Partial<PartAdvice>>> = {
  /** Only a person ends it. */
  needs_consent: {
    kind: 'consent_needed',
    alert_after_ms: 0,
    remedy: 'Only a person can grant it; POST /api/email/refresh-token then tries it.',
  },
  /** A mail about it would take the next place that is free. */
  budget_spent: { alert_after_ms: 6 * 60 * 60_000, remedy: 'Wait, or raise PLUMBLINE_MAIL_PER_DAY.' },
}

type Health = Pick<MailHealth, 'ok' | 'detail' | 'provider' | 'last_sent_at' | 'token' | 'budget'>

/** Pure. A grant that was refused is known to be wrong, and stays so until a person has granted it anew. */
export function evaluateMail({ ok, detail, provider, last_sent_at, token, budget }: Health): LookedAt {
  const details = { provider, last_sent_at }
  const { used, limit } = budget.day
  // Alerts by mail wait until then.
  if (ok === true && used >= limit)
    return impaired('budget_spent', `${used} mails went out within a day, and ${limit} may.`, { details })
  if (ok === true) return healthy('It takes us in.', { details })
  if (token?.state === 'needs_consent')
    return impaired('needs_consent', token.reason ?? 'It takes the grant no more.', { details })
  return unknown('unreachable', detail ?? 'It cannot be reached.', { details })
}
