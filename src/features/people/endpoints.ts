/** Users of the SSO provider: invite, revoke, list, groups, and the invitation's mail once more. */
import { z } from 'zod'
import type { Deps } from './deps.ts'
import { inviteFaults, inviteUser } from './invitations/invite.ts'
import { readUser, readUsers } from './read.ts'
import { regroupUser } from './regroup.ts'
import { resendInvitation } from './invitations/resend.ts'
import { revokeUser } from './invitations/revoke.ts'
import { UserView, InviteAnswer, InvitePlanned, UserChanged, UserAnswer } from './view.ts'
import { GROUP, MAX_NAME, MAX_GROUPS } from '../../model/network/mailbox.ts'
import { ANY_USERNAME, SUGGESTION_FORM } from './username.ts'
import { formOf, MAIL_ADDRESS, personName } from '../../model/text/form.ts'
import { having, when } from '../../http/body/json-conditions.ts'
import { faultsBeside } from '../../http/beside.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { created, ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'

const tags = [{ name: 'Users', description: 'People who sign in: inviting, regrouping, revoking' }]

const names = () =>
  z
    .array(
      z
        .string()
        .max(64)
        .meta({ ...formOf(GROUP) }),
    )
    .max(MAX_GROUPS)

const InviteRequest = z
  .strictObject({
    username: z
      .string()
      .min(1)
      .max(256)
      .meta({ ...SUGGESTION_FORM })
      .optional()
      .describe('A suggestion, from which a unique user name is made; left out: the display name'),
    display_name: z
      .string()
      .min(1)
      .max(100)
      .meta({ ...personName(MAX_NAME) }),
    email: z
      .string()
      .min(3)
      .max(254)
      .meta({ ...MAIL_ADDRESS }),
    groups: names().optional(),
  })
  .meta({
    id: 'UserInvite',
    examples: [{ display_name: 'Jo Example', email: 'jo@example.com', groups: ['family'] }],
    allOf: [when(having('username'), null, { properties: { display_name: SUGGESTION_FORM } })],
  })

const Groups = z
  .strictObject({ groups: names() })
  .meta({ id: 'UserGroups', examples: [{ groups: ['family', 'admins'] }] })

const Username = z.object({
  username: z.string().min(1).max(100).meta({ pattern: ANY_USERNAME.source }),
})

const INVITE = `Takes a unique user name, hashes a random password (argon2id) that nobody will ever know, adds the user to the
users file by an atomic rebuild, has the SSO provider read it, and sends the instructions by mail. A crash at any step is
made good at the next start, and no step is done twice. Asking again for the same mail address goes on with an invitation
that is not done.`

const REVOKE = `Sets disabled in the users file and keeps it so, whoever writes that file. Nobody is deleted. The warnings say what
goes on all the same: sessions that began before, and what the reading of the file costs.`

export const userEndpoints = (deps: Deps): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/users',
    id: 'users',
    summary: 'Everybody whom the users file or the database knows',
    description:
      'Those of the users file and those that were invited and are not in it, each with where they stand.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(UserView) },
    problems: ['component_unavailable'],
    handler: async (call) => ok(await readUsers(deps, call.signal)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/users/invite',
    id: 'inviteUser',
    summary: 'Invite a person',
    description: INVITE,
    level: 'keyed',
    tags,
    query: Changing,
    body: InviteRequest,
    faults: faultsBeside({
      schema: InviteRequest,
      stand_in: { display_name: '', email: '' },
      evaluate: inviteFaults,
    }),
    replies: { 201: InviteAnswer, 200: InvitePlanned },
    problems: ['conflict', 'name_taken', 'component_unavailable', 'storage_unwritable'],
    handler: async (call) => {
      const answer = await inviteUser(deps, call.body, callerOf(call))
      return 'dry_run' in answer ? ok(answer) : created(answer)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/users/{username}',
    id: 'user',
    summary: 'One user',
    description: 'By the user name as GET /api/users lists it.',
    level: 'keyed',
    tags,
    params: Username,
    replies: { 200: UserView },
    problems: ['not_found', 'component_unavailable'],
    handler: async (call) => ok(await readUser(deps, call.params.username, call.signal)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/users/{username}/revoke',
    id: 'revokeUser',
    summary: 'End a person’s access, for good',
    description: REVOKE,
    level: 'keyed',
    tags,
    params: Username,
    query: Changing,
    replies: { 200: UserChanged.or(Planned) },
    problems: ['not_found', 'conflict', 'component_unavailable', 'storage_unwritable'],
    handler: async (call) => ok(await revokeUser(deps, call.params.username, callerOf(call))),
  }),
  endpoint({
    method: 'POST',
    path: '/api/users/{username}/resend',
    id: 'resendInvitation',
    summary: 'Send an invitation’s mail once more',
    description: 'The same instructions once more, within the budget of mails.',
    level: 'keyed',
    tags,
    params: Username,
    query: Changing,
    replies: { 200: UserAnswer.or(Planned) },
    problems: ['not_found', 'record_disabled', 'component_unavailable', 'rate_limited'],
    handler: async (call) => ok(await resendInvitation(deps, call.params.username, callerOf(call))),
  }),
  endpoint({
    method: 'PUT',
    path: '/api/users/{username}/groups',
    id: 'setUserGroups',
    summary: 'Put an invited person into other groups',
    description:
      'Replaces the groups of the person in the users file. Access rules that name a group follow.',
    level: 'keyed',
    tags,
    params: Username,
    query: Changing,
    body: Groups,
    replies: { 200: UserChanged.or(Planned) },
    problems: ['not_found', 'record_disabled', 'conflict', 'component_unavailable', 'storage_unwritable'],
    handler: async (call) => {
      const request = { username: call.params.username, groups: call.body.groups }
      return ok(await regroupUser(deps, request, callerOf(call)))
    },
  }),
]
