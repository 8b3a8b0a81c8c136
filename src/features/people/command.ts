/** `plumbline users`: who may sign in, inviting people, and ending their access. */
import { Misuse } from '../../cli/misuse.ts'
import type { InviteAnswer } from './invitations/invite.ts'
import type { UserTold } from './invitations/revoke.ts'
import type { UserView } from './view.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { shortTime, table, type Terminal } from '../../cli/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

export const users: Verb = {
  name: 'users',
  takes: '[list] | invite EMAIL NAME… | revoke USER | resend USER | groups USER [GROUP…]',
  help: 'People of the SSO provider: list them, invite one (with instructions by mail), revoke, send the mail again, set groups.',
  options: { username: { type: 'string' }, groups: { type: 'string' } },
  async run(context) {
    const asked = ask(context)
    if (asked === null)
      throw new Misuse(
        'Say "users", "users invite EMAIL NAME… [--username SUGGESTION] [--groups A,B]", "users revoke USER", ' +
          '"users resend USER" or "users groups USER [GROUP…]".',
      )
    await withApi(context, asked)
    return EXIT.ok
  },
}

type Asked = (api: Api) => Promise<void>

/** Null for words that ask for nothing we know. */
function ask(context: VerbContext): Asked | null {
  const [deed = 'list', subject, ...rest] = context.words
  if (deed === 'list') return subject === undefined ? list(context) : null
  if (subject === undefined) return null
  if (deed === 'invite') return rest.length === 0 ? null : invite(context, subject, rest.join(' '))
  if (deed === 'groups')
    return change(context, { method: 'PUT', path: pathOf(subject, 'groups'), body: { groups: rest } })
  if (rest.length > 0 || (deed !== 'revoke' && deed !== 'resend')) return null
  return change(context, { method: 'POST', path: pathOf(subject, deed) })
}

const pathOf = (username: string, deed: string): string =>
  `/api/users/${encodeURIComponent(username)}/${deed}`

const list =
  ({ terminal }: VerbContext): Asked =>
  async (api) => {
    const known = await expectGood<readonly UserView[]>(api, { method: 'GET', path: '/api/users' })
    tell(terminal, known, () => tellUsers(known, terminal))
  }

const invite =
  ({ terminal, options }: VerbContext, email: string, display_name: string): Asked =>
  async (api) => {
    const { username, groups } = options
    const body = {
      email,
      display_name,
      ...(typeof username === 'string' ? { username } : {}),
      ...(typeof groups === 'string' ? { groups: groups.split(',').filter((name) => name !== '') } : {}),
    }
    const answer = await expectGood<InviteAnswer>(api, { method: 'POST', path: '/api/users/invite', body })
    tell(terminal, answer, () => {
      terminal.out(answer.message)
      // What was not sent is to be passed on by whoever reads this.
      if (answer.warnings.length > 0) terminal.out(`\n${answer.instructions.text}`)
    })
    for (const warning of answer.warnings) terminal.note(`warning: ${warning}`)
  }

const change =
  ({ terminal }: VerbContext, request: Parameters<Api['call']>[0]): Asked =>
  async (api) => {
    const answer = await expectGood<UserTold>(api, request)
    tell(terminal, answer, () => terminal.out(answer.message))
    for (const warning of answer.warnings) terminal.note(`warning: ${warning}`)
  }

function tell(terminal: Terminal, answer: unknown, text: () => void): void {
  if (terminal.json) terminal.out(JSON.stringify(answer, null, 2))
  else text()
}

function tellUsers(known: readonly UserView[], terminal: Terminal): void {
  if (known.length === 0) terminal.note('There are no users. Invite one with "users invite EMAIL NAME".')
  const rows = known.map((user) => [
    user.username,
    stateOf(user),
    user.groups.join(',') || '-',
    user.email ?? '-',
    user.invited_at === null ? 'in the file' : `invited ${shortTime(user.invited_at)}`,
  ])
  for (const line of table(rows)) terminal.out(line.trimEnd())
}

function stateOf({ disabled, revoked_at, in_file, invitation }: UserView): string {
  if (revoked_at !== null) return disabled === true ? 'revoked' : 'revoked, not yet in force'
  if (disabled === null || in_file === null) return 'unknown'
  if (!in_file) return `not in the file (${invitation?.step ?? 'lost'})`
  if (disabled) return 'disabled'
  return invitation === null || invitation.step === 'done' ? 'active' : `active (${invitation.step})`
}
