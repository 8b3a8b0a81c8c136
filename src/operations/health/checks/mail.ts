/** Whether mail could be sent. */
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { Deps } from '../../deps.ts'
import { mailHealth } from '../../mail/health.ts'
import { type HealthCheck, healthy, unknown } from '../check.ts'

/** It is a session with the provider each time. */
const EVERY_MS: Milliseconds = 5 * 60_000

export const mailCheck = ({ mail }: Pick<Deps, 'mail'>): HealthCheck => ({
  name: 'mail',
  kind: 'dependency',
  configured: mail.mailer !== null,
  every_ms: EVERY_MS,
  async look({ signal }) {
    const { ok, detail, provider, last_sent_at } = await mailHealth(mail, signal)
    const details = { provider, last_sent_at }
    return ok === true
      ? healthy('It takes us in.', { details })
      : unknown('unreachable', detail ?? 'It cannot be reached.', { details })
  },
})
