/** Signing in to the console, and who has. People of the SSO provider have signed in there: of them nothing is kept here. */
import { z } from 'zod'
import { isoTime } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { requestOf } from '../../model/actor.ts'
import type { PlannedAnswer } from '../../core/answers.ts'
import type { Caller } from '../../core/caller.ts'
import { planOutside } from '../../core/commit/plan-outside.ts'
import type { Core } from '../../core/core.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { formed } from '../../http/body/scalars.ts'
import { type Call, endpoint, type Endpoint } from '../../http/contract.ts'
import { cookieFor, cookieRemoved } from '../../http/access/session.ts'
import { Planned } from '../../http/common-views.ts'
import { created, ok } from '../../http/ok.ts'
import type { LastingSession } from './sessions/registry.ts'
import { CODE_LIVES_MS } from './sessions/codes.ts'
import { signIn, type SignIns } from './sessions/sign-in.ts'
import { BegunSession, Session, SignedIn, SignedOut, SignIn, SignInCode } from './views.ts'

const tags = [{ name: 'Console', description: 'The web console: who has signed in to it, and how' }]

export interface SessionDoor extends SignIns {
  /** Keys and links sign in here, too. */
  readonly is_open_near: boolean
  /** A proxy that tells who has signed in is listed. */
  readonly has_sso: boolean
  /** Where people sign out at the SSO provider. */
  readonly sso_sign_out: string
}

type OpenDoor = SessionDoor & Pick<Core, 'commit'>

const DryRun = Changing.pick({ dry_run: true })

const SIGNED_IN = `Who asks, and what they may do. 401 \`not_signed_in\` for nobody, and for the cookie of a session without its
secret: \`ways\` says how one can sign in from there (\`sso\`, \`key\`, \`link\`).`

const SIGNS_IN = `A key or the code of a link becomes a session: a cookie that browsers send along by themselves, and that scripts
cannot read, and a \`secret\` for the page. Browsers send a cookie to every port of its host, so the cookie alone may only look: all but
GET and HEAD take the secret as \`X-Plumbline-Session-Secret\`, too, else 403 \`session_not_proven\`. It lasts for 12 hours after its last use and for 7 days at most, rests on the key that was shown or by which the link
was made, and ends with that. Five wrong ones a minute from one network, then 429.`

const CODE = `For a link that signs in: \`/#k=CODE\` at the address of this API. Only for holders of a key: who has signed in
otherwise makes no way in for others.`

export const sessionEndpoints = (door: OpenDoor): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/session',
    id: 'session',
    summary: 'Who has signed in',
    description: SIGNED_IN,
    level: 'public',
    tags,
    replies: { 200: SignedIn },
    problems: ['not_signed_in', 'group_not_allowed'],
    handler: (call) => ok(whoAsks(door, call)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/session',
    id: 'signIn',
    summary: 'Sign in to the console with a key or a code',
    description: SIGNS_IN,
    level: 'sign_in',
    tags,
    body: SignIn,
    secret_reply: true,
    replies: { 201: BegunSession },
    reply_headers: { 'Set-Cookie': '`__Host-plumbline` over https, `plumbline` over plain http' },
    problems: ['wrong_key', 'rate_limited'],
    handler: async (call) => {
      const { cookie, secret, session } = await signIn(door, call.body, call)
      return created(
        { ...ofSession(session), secret: secret.reveal() },
        { 'Set-Cookie': cookieFor(cookie.reveal(), call.is_secure) },
      )
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/session',
    id: 'signOut',
    summary: 'Sign out of the console',
    description:
      'Ends the session by which this is called. Where there is none, there is nothing to end, and nothing to plan.',
    level: 'public',
    tags,
    reads: true,
    query: DryRun,
    replies: { 200: SignedOut.or(Planned) },
    reply_headers: { 'Set-Cookie': 'Takes the cookie away' },
    problems: ['session_not_proven'],
    handler: async (call) => {
      const { session, actor, is_secure } = call
      // A plan names the installation and its release: who has not signed in gets none.
      if (session !== null && call.query.dry_run === true)
        return ok(await planEnd(door, session.id, callerOf(call)))
      if (session !== null)
        await door.registry.end(session.id, 'sign_out', { actor: actor.name, ...requestOf(actor) })
      const cookie = session?.cookie ?? (is_secure ? '__Host-plumbline' : 'plumbline')
      const message = session === null ? 'There was no session to end.' : 'You have signed out.'
      return ok(
        { success: true as const, message },
        call.query.dry_run === true ? {} : { 'Set-Cookie': cookieRemoved(cookie) },
      )
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/session/code',
    id: 'signInCode',
    summary: 'A code with which a browser on the same host signs in, once, within a minute',
    description: CODE,
    level: 'keyed',
    tags,
    reads: true,
    secret_reply: true,
    replies: { 201: SignInCode },
    problems: ['sign_in_closed'],
    handler: (call) => created(newCode(door, call)),
  }),
  endpoint({
    method: 'GET',
    path: '/api/sessions',
    id: 'listSessions',
    summary: 'Who has signed in with a key or a link, the oldest first',
    description: 'Those that last. People of the SSO provider have signed in there and are not in it.',
    level: 'keyed',
    tags,
    replies: { 200: z.array(Session) },
    handler: (call) => ok(door.registry.list().map((one) => sessionView(one, call))),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/sessions/{session_id}',
    id: 'endSession',
    summary: 'End a session at once',
    description: 'Its browser has to sign in anew; a stream of events that it reads is cut.',
    level: 'keyed',
    tags,
    params: z.object({ session_id: formed({ pattern: '^[0-9a-f]{16}$' }) }),
    query: DryRun,
    replies: { 200: SignedOut.or(Planned) },
    problems: ['not_found'],
    handler: async (call) => {
      const { session_id } = call.params
      const { name: actor } = call.actor
      if (call.query.dry_run === true) return ok(await planEnd(door, session_id, callerOf(call)))
      if (!(await door.registry.end(session_id, 'end_sign_in', { actor, ...requestOf(call.actor) })))
        throw noSuchSession()
      return ok({ success: true as const, message: 'The session has ended.' })
    },
  }),
]

const noSuchSession = (): Failure =>
  new Failure('not_found', 'There is no such session: it has ended, or never was.')

/** What ending it would take away. Throws `not_found`. */
async function planEnd({ registry, commit }: OpenDoor, id: string, caller: Caller): Promise<PlannedAnswer> {
  const found = registry.list().find((one) => one.id === id)
  if (found === undefined) throw noSuchSession()
  const { actor, client } = found
  return planOutside(commit, caller, {
    component: 'console',
    actions: [{ verb: 'delete', item: actor, before: `from ${client}`, after: null }],
    goes_on: 'waiting',
  })
}

type Asking = Pick<Call, 'actor' | 'class' | 'groups' | 'may' | 'session' | 'is_near'>

/** Throws `not_signed_in` or `group_not_allowed`. */
function whoAsks(door: SessionDoor, { actor, class: who, groups, may, session, is_near }: Asking) {
  if (session?.is_proven === true) return ofSession(session)
  if (who !== 'sso' && who !== 'key') throw notSignedIn(door, is_near)
  if (may === null)
    throw new Failure(
      'group_not_allowed',
      `${actor.name.replace(/^sso:/, '')} is in no group of PLUMBLINE_SSO_READ_GROUPS or PLUMBLINE_SSO_CHANGE_GROUPS.`,
      { facts: { groups, sign_out: door.sso_sign_out } },
    )
  const way = who === 'sso' ? ('sso' as const) : ('header' as const)
  const sign_out = who === 'sso' ? door.sso_sign_out : null
  return { actor: actor.name, way, may, groups: [...groups], expires_at: null, sign_out }
}

function notSignedIn({ is_open_near, has_sso }: SessionDoor, is_near: boolean): Failure {
  const ways = [...(has_sso ? ['sso'] : []), ...(is_open_near && is_near ? ['key', 'link'] : [])]
  const how =
    ways.length === 0
      ? 'From here nobody can sign in: it takes this host itself, a network of PLUMBLINE_TRUSTED_NETWORKS, or the SSO provider.'
      : `From here one can sign in by: ${ways.join(', ')}.`
  return new Failure('not_signed_in', `Nobody has signed in. ${how}`, { facts: { ways } })
}

function ofSession({
  actor,
  way,
  reads_only,
  expires_at,
}: Pick<LastingSession, 'actor' | 'way' | 'reads_only' | 'expires_at'>) {
  const may = reads_only ? ('read' as const) : ('change' as const)
  return { actor, way, may, groups: [], expires_at: isoTime(expires_at), sign_out: null }
}

/** Throws `sign_in_closed`. */
function newCode(
  { codes, clock, lasting, is_open_near }: SessionDoor,
  call: Pick<Call, 'key_id' | 'client' | 'is_near'>,
) {
  const key = call.key_id === null ? null : lasting(call.key_id)
  if (!is_open_near)
    throw new Failure('sign_in_closed', 'Links sign nobody in here, as PLUMBLINE_CONSOLE_SIGN_IN is sso.')
  // Whoever comes through something that is not listed has this host's address, and is not this host.
  if (!call.is_near)
    throw new Failure(
      'sign_in_closed',
      'A link signs in on the host that asked for it: ask on this host itself, or from a network of PLUMBLINE_TRUSTED_NETWORKS.',
    )
  if (key === null)
    throw new Failure(
      'sign_in_closed',
      'Only the holder of an API key that lasts makes a link that signs in.',
    )
  const code = codes.issue(key.id, call.client)
  return { code: code.reveal(), expires_at: isoTime(clock.now() + CODE_LIVES_MS) }
}

const sessionView = (one: LastingSession, { session }: Pick<Call, 'session'>) => ({
  id: one.id,
  actor: one.actor,
  way: one.way,
  may: one.reads_only ? ('read' as const) : ('change' as const),
  key: one.key_name,
  client: one.client,
  agent: one.agent,
  created_at: isoTime(one.created_at),
  used_at: isoTime(one.used_at),
  expires_at: isoTime(one.expires_at),
  is_this: session?.id === one.id,
})
