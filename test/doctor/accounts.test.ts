/** What doctor says of the gateway and the mail account, as a table. */
import { expect, it } from 'vitest'
import { gatewayFindings, mailFindings } from '../../src/doctor/accounts.ts'
import type { MailHealth } from '../../src/operations/mail/health.ts'
import type { ClientsAnswer } from '../../src/operations/ssh-clients/read.ts'

const GATEWAY: ClientsAnswer = {
  configured: true,
  place: 'sftp://gate@host:22/keys',
  reachable: true,
  detail: null,
  offences: [],
  drift: false,
  clients: [],
  differences: [],
}
const states = (findings: readonly { readonly check: string; readonly state: string }[]) =>
  findings.map(({ check, state }) => `${check}: ${state}`)

it.each<[string, Partial<ClientsAnswer>, readonly string[]]>([
  ['nothing is set up', { configured: false, place: null }, []],
  ['all is well', {}, ['SSH gateway: good']],
  ['it is not reached', { reachable: false, detail: 'ECONNREFUSED' }, ['SSH gateway: bad']],
  [
    'sshd would pass over the file',
    { offences: ['/a may be written by everybody: chmod o-w /a'] },
    ['SSH gateway: good', 'SSH gateway file: bad'],
  ],
  ['modes cannot be seen', { offences: null }, ['SSH gateway: good', 'SSH gateway file: warning']],
])('the gateway, where %s', (_, change, wanted) => {
  expect(states(gatewayFindings({ ...GATEWAY, ...change }))).toEqual(wanted)
})

it('an offence is told with its remedy, and a reached gateway with its pin', () => {
  const offences = ['/a may be written by everybody: chmod o-w /a']
  const [gateway, file] = gatewayFindings({ ...GATEWAY, offences })
  expect(gateway?.detail).toContain('with the pinned host key')
  expect(file).toMatchObject({
    detail: expect.stringContaining('/a may be written') as string,
    remedy: 'chmod o-w /a',
  })
})

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
