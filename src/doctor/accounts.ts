/** What `plumbline doctor` finds at the SSH gateway and at the mail account. Nothing where they are not set up. */
import { type Api, expectGood } from '../cli/api.ts'
import type { Finding } from '../cli/verb.ts'
import { bad, good, warning } from './finding.ts'
import type { MailHealth } from '../operations/mail/health.ts'
import type { ClientsAnswer } from '../operations/ssh-clients/read.ts'

export const examineAccounts = async (api: Api): Promise<readonly Finding[]> => [
  ...gatewayFindings(await expectGood<ClientsAnswer>(api, { method: 'GET', path: '/api/ssh-clients' })),
  ...mailFindings(await expectGood<MailHealth>(api, { method: 'GET', path: '/api/email/health' })),
]

/** A session over SFTP is only had with the pinned host key, so whoever is reached has shown it. */
export function gatewayFindings(answer: ClientsAnswer): readonly Finding[] {
  const { configured, place, reachable, detail, offences, clients } = answer
  if (!configured) return []
  const where = place ?? ''
  if (reachable !== true)
    return [
      bad(
        'SSH gateway',
        `${where}: ${detail ?? 'cannot be read'}`,
        'Let this host reach it and log in there.',
      ),
    ]
  const ours = clients.filter(({ managed }) => managed).length
  const pinned = where.startsWith('sftp://') ? ', with the pinned host key' : ''
  return [
    good('SSH gateway', `${where} is reached${pinned}; ${ours} of ${clients.length} keys are ours`),
    ...modeFindings(offences),
    ...clients.flatMap(({ name, fingerprint, weakness }) =>
      weakness === null
        ? []
        : [
            warning(
              'SSH key',
              `${name} (${fingerprint}) ${weakness}`,
              'Let a new key in, then remove this one.',
            ),
          ],
    ),
  ]
}

const modeFindings = (offences: readonly string[] | null): readonly Finding[] =>
  offences === null
    ? [warning('SSH gateway file', 'owners and modes could not be seen', 'Let us read the folders above it.')]
    : offences.map((offence) => {
        const [fault = '', remedy = ''] = offence.split(': ')
        return fault.endsWith('its group')
          ? warning('SSH gateway file', `${fault}, for which most sshd pass over it (StrictModes)`, remedy)
          : bad('SSH gateway file', `${fault}, so sshd passes over it (StrictModes)`, remedy)
      })

export function mailFindings(health: MailHealth): readonly Finding[] {
  const { configured, ok, provider, detail, token, budget } = health
  if (!configured) return []
  const name = `mail account (${provider})`
  if (ok !== true) {
    const remedy =
      token?.state === 'needs_consent'
        ? 'Grant access again.'
        : 'Correct its settings, or wait until it answers.'
    return [bad(name, detail ?? token?.reason ?? 'does not answer', remedy)]
  }
  const { minute, day } = budget
  const used = `${minute.used} of ${minute.limit} mails in a minute, ${day.used} of ${day.limit} in a day`
  return day.used >= day.limit
    ? [
        warning(
          name,
          `takes mail, and the budget is used up: ${used}`,
          'Wait, or raise PLUMBLINE_MAIL_PER_DAY.',
        ),
      ]
    : [good(name, `takes mail; ${used}`)]
}
