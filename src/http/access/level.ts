/** How protected an endpoint is, and which callers that lets in: step 9 of the access policy. */
import type { CompiledAccess } from './settings.ts'
import { type Caller, peerAddress, speaksForItself } from './caller.ts'
import type { RequestFacts } from './request-facts.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { TrustHeaders } from './trust-headers.ts'

/**
 * |         | key | session | sso    | local | lan | public                |
 * |---------|-----|---------|--------|-------|-----|-----------------------|
 * | public  | yes | yes     | yes    | yes   | yes | yes                   | liveness, the empty page
 * | open    | yes | yes     | groups | yes   | yes | 403                   | keyless by specification
 * | keyed   | yes | yes     | groups | 401   | 401 | 401                   |
 * | sign_in | whoever is near: this host itself, a trusted network; 403 else | a key or a code becomes a session
 * | ddns    | yes | a credential is presented, and the handler proves it     |
 * | token   | yes | the same, as a Bearer token: edges and heartbeats        |
 *
 * A key that may only look, and a session that rests on one, is let in where nothing is changed; on `ddns` and `token` it
 * stands for nobody. Also where no key is needed: whoever shows it has said what they are there for. The cookie of a session is
 * none for an unsafe method where its secret is missing: where that is why a call is refused, 403 session_not_proven says so.
 *
 * Signed-in people, by the groups that the proxy names; plans and dry runs are looks:
 *
 * | in a change group | everything                                      |
 * | in a read group   | they look; changes are 403                      |
 * | in none           | 403, but look where no read group is named      |
 */
export const LEVELS = ['public', 'open', 'keyed', 'sign_in', 'ddns', 'token'] as const
export type Level = (typeof LEVELS)[number]

export interface Situation {
  readonly request: RequestFacts
  readonly seen: TrustHeaders
  readonly caller: Caller
  readonly policy: CompiledAccess
  /** What a client of the level `ddns` or `token` presents, or null. */
  readonly credential: string | null
  /** The call changes nothing. */
  readonly reads: boolean
}

export function levelRefusal(level: Level, situation: Situation): Refusal | null {
  const { caller } = situation
  if (level === 'public') return cookieRefusal(situation)
  if (level === 'sign_in') return signInRefusal(situation)
  if (caller.class === 'key') return keyRefusal(level, situation)
  switch (level) {
    case 'open':
    case 'keyed':
      if (caller.class === 'session') return sessionRefusal(situation)
      if (caller.class === 'sso') return groupRefusal(situation)
      return level === 'open' ? placeRefusal(situation) : keylessRefusal(situation)
    case 'ddns':
    case 'token':
      return situation.credential === null ? refusal('unauthenticated', CREDENTIAL_NEEDED[level]) : null
  }
}

const CREDENTIAL_NEEDED = {
  ddns: 'An update needs a key, that of the site or the API key: as key=… or as the password of Basic.',
  token: 'This call needs the token that was issued for it as Authorization: Bearer …, or the API key.',
} as const satisfies Partial<Record<Level, string>>

function keyRefusal(level: Level, { caller, reads }: Situation): Refusal | null {
  if (caller.reads_only !== true) return null
  const is_look = reads && level !== 'ddns' && level !== 'token'
  return is_look
    ? null
    : refusal(
        'read_only_key',
        'This key may only look. Use one that may change something, or have one issued.',
      )
}

const sessionRefusal = ({ caller, reads }: Situation): Refusal | null =>
  caller.reads_only !== true || reads
    ? null
    : refusal(
        'read_only_session',
        'You may look, not change: you have signed in with a key that may only look.',
      )

const cookieRefusal = ({ caller }: Situation): Refusal | null =>
  caller.cookie_alone === true
    ? refusal(
        'session_not_proven',
        'The cookie of a session alone changes nothing, as browsers send it to every port of a host. Send the secret of its ' +
          'sign-in as X-Plumbline-Session-Secret, too, or sign in again.',
      )
    : null

/** A key or a code that is shown from elsewhere is not looked at, be it right or wrong. */
function signInRefusal({ caller, policy }: Situation): Refusal | null {
  if (policy.sessions === null)
    return refusal(
      'sign_in_closed',
      'Keys and links sign nobody in here, as PLUMBLINE_CONSOLE_SIGN_IN is sso: sign in through the SSO provider.',
    )
  if (caller.is_near) return null
  const who = caller.client || 'an unknown address'
  return refusal(
    'sign_in_closed',
    caller.unproven_proxy === null
      ? `A key or a link signs in from this host itself or from a trusted network, and ${who} is ` +
          'in none: sign in through the SSO provider, or add the network to PLUMBLINE_TRUSTED_NETWORKS.'
      : `${who} is listed in PLUMBLINE_TRUSTED_PROXIES, so whoever calls from there counts as sent by a proxy: sign in through ` +
          'the SSO provider, or come from an address of this host or of a trusted network that is not listed.',
  )
}

/** What a caller may do where a key is needed. */
export type May = 'change' | 'read'

/** Null: nothing at all. */
export function mayOf(caller: Caller, policy: CompiledAccess): May | null {
  if (caller.class === 'key' || caller.class === 'session')
    return caller.reads_only === true ? 'read' : 'change'
  if (caller.class !== 'sso') return null
  if (isIn(caller, policy.sso_change_groups)) return 'change'
  return policy.sso_read_groups.size === 0 || isIn(caller, policy.sso_read_groups) ? 'read' : null
}

const isIn = ({ groups }: Caller, wanted: ReadonlySet<string>): boolean =>
  groups.some((group) => wanted.has(group))

function groupRefusal({ caller, policy, reads }: Situation): Refusal | null {
  const { sso_change_groups } = policy
  const may = mayOf(caller, policy)
  if (may === 'change' || (may === 'read' && reads)) return null
  const who = caller.actor.replace(/^sso:/, '')
  const why = reads
    ? `${who} is in no group of PLUMBLINE_SSO_READ_GROUPS or PLUMBLINE_SSO_CHANGE_GROUPS, so this may not be looked at.`
    : sso_change_groups.size === 0
      ? 'Nobody changes anything by signing in until PLUMBLINE_SSO_CHANGE_GROUPS names a group.'
      : `${who} is in no group of PLUMBLINE_SSO_CHANGE_GROUPS, so nothing may be changed.`
  return refusal('group_not_allowed', `${why} Send X-API-Key, or have the group named there.`)
}

const keylessRefusal = (situation: Situation): Refusal =>
  cookieRefusal(situation) ?? keyNeeded(situation.policy)

const keyNeeded = (policy: CompiledAccess): Refusal =>
  refusal(
    'unauthenticated',
    policy.api_key === null
      ? 'This call needs the header X-API-Key, but no key is configured, so every such call is refused. Set API_KEY.'
      : 'This call needs the header X-API-Key.',
  )

const placeRefusal = (situation: Situation): Refusal | null =>
  situation.caller.class === 'public' ? (cookieRefusal(situation) ?? strangerRefusal(situation)) : null

const strangerRefusal = (situation: Situation): Refusal =>
  refusal('network_not_trusted', whyStranger(situation))

function whyStranger({ request, seen, caller, policy }: Situation): string {
  const peer = peerAddress(request.peer)
  if (caller.unproven_proxy !== null)
    return (
      `The proxy at ${caller.unproven_proxy} is listed in PLUMBLINE_TRUSTED_PROXIES and did not send PLUMBLINE_PROXY_SECRET as ` +
      'X-Plumbline-Proxy-Secret, so what it says of its callers is not believed. Have it send the secret, or send X-API-Key.'
    )
  const is_unlisted = peer !== null && !policy.isTrustedProxy(peer)
  if (is_unlisted && seen.forwarded)
    return `The request came through a proxy at ${peer} that is not listed in PLUMBLINE_TRUSTED_PROXIES. Send X-API-Key, or list the proxy.`
  if (is_unlisted && !speaksForItself(request, seen))
    return 'The request came over HTTP/1.0, as it does from proxies that tell nothing of who asked. Send X-API-Key, or speak HTTP/1.1.'
  if (is_unlisted && policy.isLoopback(peer) && !policy.trusts_loopback)
    return (
      'Calls from this host need a key, too, since PLUMBLINE_LOCAL is off, which is the default once PLUMBLINE_PUBLIC_URL or ' +
      'PLUMBLINE_ALLOWED_HOSTS is set. Send X-API-Key, or set PLUMBLINE_LOCAL=on where no proxy on this host leads here.'
    )
  return (
    `This call needs no key from a trusted network, but ${caller.client || 'an unknown address'} is in none. ` +
    'Send X-API-Key, or add the network to PLUMBLINE_TRUSTED_NETWORKS.'
  )
}
