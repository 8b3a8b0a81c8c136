/** How protected an endpoint is, and which callers that lets in: step 9 of the access policy. */
import type { CompiledAccess } from './access-settings.ts'
import { type Caller, peerAddress, speaksForItself } from './caller.ts'
import type { RequestFacts } from './request-facts.ts'
import { type Refusal, refusal } from './refusal.ts'
import type { TrustHeaders } from './trust-headers.ts'

/**
 * |        | key | sso | local | lan | public                        |
 * |--------|-----|-----|-------|-----|-------------------------------|
 * | public | yes | yes | yes   | yes | yes                           | liveness
 * | open   | yes | yes | yes   | yes | 403                           | keyless by specification
 * | keyed  | yes | 401 | 401   | 401 | 401                           |
 * | ui     | yes | yes | 401   | 401 | 401                           | the web console
 * | ddns   | yes | a credential is presented, and the handler proves it | |
 * | edge   | yes | the same, as a Bearer token                           | |
 */
export const LEVELS = ['public', 'open', 'keyed', 'ui', 'ddns', 'edge'] as const
export type Level = (typeof LEVELS)[number]

export interface Situation {
  readonly request: RequestFacts
  readonly seen: TrustHeaders
  readonly caller: Caller
  readonly policy: CompiledAccess
  /** What a client of the level `ddns` or `edge` presents, or null. */
  readonly credential: string | null
}

export function levelRefusal(level: Level, situation: Situation): Refusal | null {
  const { caller } = situation
  if (level === 'public' || caller.class === 'key') return null
  switch (level) {
    case 'open':
      return caller.class === 'public' ? strangerRefusal(situation) : null
    case 'keyed':
      return keyNeeded(situation.policy)
    case 'ui':
      return caller.class === 'sso'
        ? null
        : refusal(
            'unauthenticated',
            'This page needs a sign-in through the SSO provider, or the header X-API-Key.',
          )
    case 'ddns':
      return situation.credential === null
        ? refusal(
            'unauthenticated',
            'An update needs a key, that of the site or the API key: as key=… or as the password of Basic.',
          )
        : null
    case 'edge':
      return situation.credential === null
        ? refusal(
            'unauthenticated',
            'This call needs the token of the edge as Authorization: Bearer …, or the API key.',
          )
        : null
  }
}

const keyNeeded = (policy: CompiledAccess): Refusal =>
  refusal(
    'unauthenticated',
    policy.api_key === null
      ? 'This call needs the header X-API-Key, but no key is configured, so every such call is refused. Set API_KEY.'
      : 'This call needs the header X-API-Key.',
  )

const strangerRefusal = (situation: Situation): Refusal =>
  refusal('network_not_trusted', whyStranger(situation))

function whyStranger({ request, seen, caller, policy }: Situation): string {
  const peer = peerAddress(request.peer)
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
