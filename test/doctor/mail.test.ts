/** What doctor says of the mail account, as a table. */
import { expect, it } from 'vitest'
import { mailFindings } from '../../src/doctor/mail.ts'
import type { MailHealth } from '../../src/features/mail/views.ts'

const states = (findings: readonly { readonly check: string; readonly state: string }[]) =>
  findings.map(({ check, state }) => `${check}: ${state}`)

const HEALTH: MailHealth = {
  configured: true,
  ok: true,
  provider: 'gmail',
  detail: null,
  token: { state: 'valid', expires_at: null, reason: null },
  budget: { minute: { used: 0, limit: 10 }, day: { used: 1, limit: 100 } },
  last_sent_at: null,
  last_unknown_at: null,
}

it.each<[string, Partial<MailHealth>, readonly string[]]>([
  ['nothing is set up', { configured: false, ok: null, provider: null }, []],
  ['it takes mail', {}, ['mail account (gmail): good']],
  ['it does not answer', { ok: false, detail: 'x' }, ['mail account (gmail): bad']],
  [
    'the budget is used up',
    { budget: { minute: { used: 0, limit: 10 }, day: { used: 100, limit: 100 } } },
    ['mail account (gmail): warning'],
  ],
])('the mail account, where %s', (_, change, wanted) => {
  expect(states(mailFindings({ ...HEALTH, ...change }))).toEqual(wanted)
})
