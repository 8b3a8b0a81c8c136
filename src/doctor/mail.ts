/** The mail account, as `plumbline doctor` finds it: whether it takes mail, and what is left of its budget. */
import type { Finding } from '../cli/verb.ts'
import { bad, good, warning } from './finding.ts'
import type { World } from './world.ts'
import type { MailHealth } from '../features/mail/views.ts'

export const mail: World = {
  asked: async (ask) => mailFindings(await ask<MailHealth>('/api/email/health')),
}

export function mailFindings(health: MailHealth): readonly Finding[] {
  const { configured, ok, provider, detail, token, budget } = health
  if (!configured) return []
  const name = `mail account (${provider})`
  if (ok === true) return [evaluateBudget(name, budget)]
  const remedy =
    token?.state === 'needs_consent'
      ? 'Grant access again.'
      : 'Correct its settings, or wait until it answers.'
  return [bad(name, detail ?? token?.reason ?? 'does not answer', remedy)]
}

function evaluateBudget(name: string, { minute, day }: MailHealth['budget']): Finding {
  const used = `${minute.used} of ${minute.limit} mails in a minute, ${day.used} of ${day.limit} in a day`
  return day.used >= day.limit
    ? warning(
        name,
        `takes mail, and the budget is used up: ${used}`,
        'Wait, or raise PLUMBLINE_MAIL_PER_DAY.',
      )
    : good(name, `takes mail; ${used}`)
}
