/** `plumbline users`: who may sign in, inviting people, and ending their access. */
import type { UserAnswer, InviteAnswer, UserView } from './view.ts'
import { type Api, expectGood } from '../../cli/api.ts'
import { type Ending, ends, known, pick } from '../../cli/ends.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { SETTLING } from '../../cli/settle.ts'
import { tellWarnings } from '../../cli/text/tell-warnings.ts'
import { type Terminal, shortTime, tellAs } from '../../cli/text/terminal.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { textOf } from '../../cli/words/given.ts'
import { asks, withApi } from '../../cli/with-api.ts'
import { Failure } from '../../kernel/failure.ts'

const PATH = '/api/users'
const pathOf = ({ username }: Pick<UserView, 'username'>, deed: string): string =>
  `${PATH}/${encodeURIComponent(username)}/${deed}`

export const users: Verb = {
  name: 'users',
  help: 'People who may sign in: inviting them, their groups, ending their access.',
  forms: [
    {
      words: '[list]',
      help: 'Lists everybody whom the users file or the database knows.',
      examples: [['users', 'Who may sign in, and who was invited.']],
      is_long: true,
      run: listed,
    },
    {
      words: 'show USER',
      help: 'Shows one person.',
      examples: [['users show jo', 'Whether Jo can sign in, and with which groups.']],
      run: asks<UserView>({
        requestBy: async (api, { words }) => {
          const { username } = await userNamed(api, words[0]!)
          return { method: 'GET', path: `${PATH}/${encodeURIComponent(username)}` }
        },
        text: (user, terminal) => tellUsers([user], terminal),
      }),
    },
    {
      words: 'invite EMAIL NAME…',
      fields: { display_name: 'NAME' },
      help: 'Invites a person by mail, with instructions.',
      options: {
        username: { value: 'NAME', help: 'A username to try first; else one is made of the name.' },
        groups: { value: 'A,B', help: 'The groups of the person.' },
      },
      examples: [
        [
          'users invite jo@example.com Jo Doe --groups family',
          'Jo gets a mail that says how to set a password.',
        ],
      ],
      run: asks<InviteAnswer>({
        request: ({ words: [email, ...names], options }) => {
          const username = textOf(options, 'username')
          const groups = textOf(options, 'groups')
          const body = {
            email,
            display_name: names.join(' '),
            ...(username !== undefined && { username }),
            ...(groups !== undefined && { groups: groups.split(',').filter((group) => group !== '') }),
          }
          return { method: 'POST', path: `${PATH}/invite`, body }
        },
        text: tellInvited,
      }),
    },
    {
      words: 'revoke USER',
      help: 'Ends a person’s access, for good.',
      options: SETTLING,
      examples: [['users revoke jo', 'Jo can sign in no more.']],
      run: ends<UserAnswer>(revoking, tellChanged),
    },
    {
      words: 'resend USER',
      help: 'Sends the mail of an invitation once more, with the same instructions.',
      examples: [['users resend jo', 'The first mail was lost.']],
      run: asks<UserAnswer>({
        requestBy: async (api, { words }) => ({
          method: 'POST',
          path: pathOf(await userNamed(api, words[0]!), 'resend'),
        }),
        text: tellChanged,
      }),
    },
    {
      words: 'groups USER [GROUP…]',
      help: 'Puts an invited person into these groups, and out of all others.',
      examples: [['users groups jo family admins', 'Jo is in these two.']],
      run: asks<UserAnswer>({
        requestBy: async (api, { words: [name, ...groups] }) => ({
          method: 'PUT',
          path: pathOf(await userNamed(api, name!), 'groups'),
          body: { groups },
        }),
        text: tellChanged,
      }),
    },
  ],
}

/** Looked up first, so that a wrong name is answered with what is near. */
async function userNamed(api: Api, name: string): Promise<UserView> {
  const all = await expectGood<readonly UserView[]>(api, { method: 'GET', path: PATH })
  if (all.length === 0 && !(await isManaged(api))) throw new Failure('not_found', UNMANAGED)
  return pick(
    'user',
    all.map((each) => ({ ...each, id: each.username, name: each.email ?? each.username })),
    name,
  )
}

async function revoking(api: Api, { words }: VerbContext): Promise<Ending> {
  const user = await userNamed(api, words[0]!)
  const groups = user.groups.length === 0 ? 'in no group' : `in ${user.groups.join(', ')}`
  const who = known(user.username, user.display_name, user.email, groups)
  return {
    request: { method: 'POST', path: pathOf(user, 'revoke') },
    question: `Revoke ${user.username} for good?`,
    loses:
      user.revoked_at !== null && user.disabled === true
        ? []
        : [`${who} can sign in no more. That is for good: nobody is enabled again.`],
  }
}

function tellInvited(answer: InviteAnswer, terminal: Terminal): void {
  tellProse(terminal, answer.message)
  // What was not sent is to be passed on by whoever reads this.
  if (answer.user.invitation?.mail !== 'sent') tellProse(terminal, `\n${answer.instructions.text}`)
  tellWarnings(answer.warnings, terminal)
}

function tellChanged({ message, warnings }: UserAnswer, terminal: Terminal): void {
  tellProse(terminal, message)
  tellWarnings(warnings, terminal)
}

async function listed(context: VerbContext): Promise<number> {
  const { terminal } = context
  return withApi(context, async (api) => {
    const all = await expectGood<readonly UserView[]>(api, { method: 'GET', path: PATH })
    const is_unmanaged = all.length === 0 && !terminal.json && !(await isManaged(api))
    if (is_unmanaged) terminal.note(UNMANAGED)
    else tellAs(terminal, all, tellUsers)
    return EXIT.ok
  })
}

const UNMANAGED =
  'Users are not managed here: set PLUMBLINE_SSO_USERS_FILE to the users file of the SSO provider.'

interface Parts {
  readonly components: readonly { readonly name: string; readonly configured: boolean }[]
}

async function isManaged(api: Api): Promise<boolean> {
  const path = '/api/control-plane/health'
  const { components } = await expectGood<Parts>(api, { method: 'GET', path })
  return components.some(({ name, configured }) => name === 'people' && configured)
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
  tellTable(terminal, rows)
}

function stateOf({ disabled, revoked_at, in_file, invitation }: UserView): string {
  if (revoked_at !== null) return disabled === true ? 'revoked' : 'revoked, not yet in force'
  if (disabled === null || in_file === null) return 'unknown'
  if (!in_file) return `not in the file (${invitation?.step ?? 'lost'})`
  if (disabled) return 'disabled'
  return invitation === null || invitation.step === 'done' ? 'active' : `active (${invitation.step})`
}
