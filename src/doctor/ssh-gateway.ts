/** The SSH gateway, as `plumbline doctor` finds it: reached, its file as sshd wants it, its keys strong enough. */
import type { Finding } from '../cli/verb.ts'
import { bad, good, warning } from './finding.ts'
import type { World } from './world.ts'
import type { ClientsAnswer } from '../features/ssh-clients/views.ts'

export const sshGateway: World = {
  asked: async (ask) => gatewayFindings(await ask<ClientsAnswer>('/api/ssh-clients')),
}

/** A session over SFTP is only had with the pinned host key, so whoever is reached has shown it. */
export function gatewayFindings(answer: ClientsAnswer): readonly Finding[] {
  const { configured, place, reachable, detail, offences_by_part, clients } = answer
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
    ...modeFindings(offences_by_part),
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

const modeFindings = (offences: ClientsAnswer['offences_by_part']): readonly Finding[] =>
  offences === null
    ? [warning('SSH gateway file', 'owners and modes could not be seen', 'Let us read the folders above it.')]
    : offences.map(({ by, fault, remedy }) =>
        by === 'group'
          ? warning('SSH gateway file', `${fault}, for which most sshd pass over it (StrictModes)`, remedy)
          : bad('SSH gateway file', `${fault}, so sshd passes over it (StrictModes)`, remedy),
      )
