/** `plumbline access`: who can open what; and putting back a route that was taken out. */
import { Misuse } from '../../cli/misuse.ts'
import type { AccessAnswer, AccessEntry } from './access.ts'
import type { Lifted } from './sign-in/quarantine.ts'
import { expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { table, type Terminal } from '../../cli/terminal.ts'
import type { Verb } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

export const access: Verb = {
  name: 'access',
  takes: '[--user NAME] [--host HOST] | lift DOMAIN',
  help: 'Say who can open a host, or what somebody can open; "lift" puts a route back that stood open. Exit code 3 where it is not known.',
  options: { user: { type: 'string' }, host: { type: 'string' } },
  async run(context) {
    const { words, options, terminal } = context
    const [deed, domain, ...rest] = words
    if (deed === 'lift' && domain !== undefined && rest.length === 0)
      return withApi(context, async (api) => {
        const path = `/api/sso/quarantine/${encodeURIComponent(domain)}/lift`
        const { message } = await expectGood<Lifted>(api, { method: 'POST', path })
        terminal.out(message)
        return EXIT.ok
      })
    const asked = ['user', 'host'].flatMap((name) => {
      const value = options[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    if (deed !== undefined || asked.length === 0)
      throw new Misuse('Say "access --user NAME", "access --host HOST", both, or "access lift DOMAIN".')
    return withApi(context, async (api) => {
      const path = `/api/access?${new URLSearchParams(Object.fromEntries(asked)).toString()}`
      const answer = await expectGood<AccessAnswer>(api, { method: 'GET', path })
      if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
      else tell(answer, terminal)
      return answer.entries.some(({ can_open }) => can_open === null) ? EXIT.unknown : EXIT.ok
    })
  },
}

function tell({ entries, notes }: AccessAnswer, terminal: Terminal): void {
  const rows = entries.map((entry) => [
    entry.domain,
    entry.username ?? '(not signed in)',
    said(entry),
    entry.detail,
    exceptionsOf(entry),
  ])
  for (const line of table(rows)) terminal.out(line)
  for (const note of notes) terminal.note(note)
}

const said = ({ can_open }: AccessEntry): string =>
  can_open === null ? 'unknown' : can_open ? 'opens' : 'closed'

const exceptionsOf = ({ exceptions }: AccessEntry): string =>
  exceptions.map(({ policy, resources }) => `${policy}: ${resources.join(' ') || 'some requests'}`).join('; ')
