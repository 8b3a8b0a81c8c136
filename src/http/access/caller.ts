/** Who is calling: the effective client behind trusted proxies, and the class that its proofs give it. */
import type { Milliseconds } from '../../kernel/clock.ts'
import type { Secret } from '../../kernel/secret.ts'
import { hasIssuedForm } from '../../kernel/issued-secret.ts'
import { canonicalAddress } from '../../model/network/address.ts'
import { clientNetwork } from '../../model/network/client-network.ts'
import { sessionIn, type ShownSession } from './session.ts'
import type { CompiledAccess, KeyProof } from './settings.ts'
import { isSafe, type RequestFacts } from './request-facts.ts'
import { type Refusal, quoted, refusal } from '../refusal.ts'
import { PROXY_SECRET_HEADER, SESSION_SECRET_HEADER, type TrustHeaders } from './trust-headers.ts'

/**
 * | class  | proof                                                                              |
 * |--------|------------------------------------------------------------------------------------|
 * | key    | a valid API key                                                                    |
 * | sso    | a listed proxy that sent its secret, and exactly one Remote-User                   |
 * | session| the cookie of a sign-in that lasts, from this host itself or a trusted network; on |
 * |        | an unsafe method its secret, too                                                   |
 * | local  | a loopback peer that speaks for itself, where loopback is trusted                  |
 * | lan    | an effective client in a trusted network; a direct peer that speaks for itself     |
 * | public | none                                                                               |
 *
 * A listed proxy proves itself by its secret: without it nothing is believed that it says, and it never speaks for itself.
 * Whoever sends a forwarding header speaks for somebody else, and so may whoever speaks HTTP/1.0: that is what nginx did by
 * itself for twenty years, without a word about who had asked.
 */
export type CallerClass = 'key' | 'sso' | 'session' | 'local' | 'lan' | 'public'

export interface Caller {
  readonly class: CallerClass
  /** As audit trails name it: `key`, `key:backup` for an issued one, `sso:alice`, `session:1f3c`, `local`, `lan`, `public`. */
  readonly actor: string
  /** Of its key; left out, and null: it has none, or showed no key. */
  readonly key_id?: string | null
  /** Its key, or that on which its session rests, may only look; left out: not so. */
  readonly reads_only?: true
  /** Those of a person who has signed in at the SSO provider; else none. */
  readonly groups: readonly string[]
  /** Aborts when its key ends; null: it has no end. On no other class than `key`. */
  readonly keyEnded?: () => AbortSignal | null
  /** The sign-in whose cookie was shown; on no other class than `session`. */
  readonly session?: ShownSession
  /** On an unsafe method: the cookie of a session came without its secret, and counts as none. */
  readonly cookie_alone?: true
  /** It is this host itself or stands in a trusted network, whether or not such callers need no key. */
  readonly is_near: boolean
  /** Canonical address of the effective client; empty when unknown. */
  readonly client: string
  /**
   * Under which network its calls and wrong keys are counted. Whoever stands behind something that is not listed is not counted
   * as that: strangers who come through a proxy on this host use up nothing of this host's own.
   */
  readonly holder: string
  /** Whether `client` is the one who called: a direct peer, or named by a trusted proxy, and not a proxy on the way. */
  readonly client_is_vouched: boolean
  /** Whether `Remote-*` headers came without proof and were not believed. */
  readonly identity_dropped: boolean
  /** The address of a listed proxy that did not send its secret, so that nothing it says was believed; else null. */
  readonly unproven_proxy: string | null
  /** What is presented on the levels `ddns` and `token`, for the handler to prove. On no other level. */
  readonly credential?: Secret
}

/** Before anything of the request can be believed. */
export const UNKNOWN_CALLER: Caller = {
  class: 'public',
  actor: 'public',
  groups: [],
  is_near: false,
  client: '',
  holder: '',
  client_is_vouched: false,
  identity_dropped: false,
  unproven_proxy: null,
}

const USER = /^[\x21-\x7e]{1,128}$/

/** Who tried too many wrong keys. */
export interface KeyGuard {
  /** How long no key of this network is compared; 0: it is. */
  shut(holder: string): Milliseconds
}

export interface Proofs {
  readonly seen: TrustHeaders
  /** What X-API-Key holds, or null. */
  readonly key: string | null
  /** What a client of the level `ddns` or `token` presents in its place, or null. It may be the key, too. */
  readonly credential: string | null
  readonly keys: KeyGuard | null
}

/** Steps 3 and 4 of the policy. */
export function identify(request: RequestFacts, proofs: Proofs, policy: CompiledAccess): Caller | Refusal {
  const { seen } = proofs
  const stands = addressOf(request, seen, policy)
  if ('code' in stands) return stands
  const user = stands.proxied ? seen.one('remote-user') || null : null
  if (user !== null && !USER.test(user))
    return refusal(
      'malformed_request',
      'Remote-User must be 1 to 128 printable ASCII characters without blanks.',
    )
  const holder = holderOf(stands)
  const shown = compareKey(proofs, { holder, is_here: isThisHost(stands, policy) }, policy)
  if (shown.refused !== null) return shown.refused
  const known = knownOf(stands, { seen, user, holder }, policy)
  if (shown.key !== null) return { ...ofKey(shown.key.text, shown.key.proof), ...known }
  if (user !== null) return { class: 'sso', actor: `sso:${user}`, ...known, groups: groupsIn(seen) }
  return withoutKey(request, { seen, stands, known }, policy)
}

/** What is known of a caller, whatever it has proven. */
type Known = Pick<
  Caller,
  'client' | 'holder' | 'groups' | 'is_near' | 'client_is_vouched' | 'identity_dropped' | 'unproven_proxy'
>

const knownOf = (
  stands: CallerAddress,
  { seen, user, holder }: Pick<Proofs, 'seen'> & { readonly user: string | null; readonly holder: string },
  policy: CompiledAccess,
): Known => {
  const { peer, client, is_listed, proxied } = stands
  return {
    client: client ?? peer ?? '',
    holder,
    groups: [],
    is_near: isNear(stands, policy),
    client_is_vouched: proxied ? client !== null : peer !== null && !is_listed && !seen.forwarded,
    identity_dropped: seen.identity && user === null,
    unproven_proxy: is_listed && !proxied ? peer : null,
  }
}

interface Shown {
  readonly refused: Refusal | null
  /** The right one, and what knows more of it; else null. */
  readonly key: { readonly text: string; readonly proof: KeyProof } | null
}

/**
 * A network that has shown too many wrong keys has its keys compared no more for a while, but for one from this host itself
 * that has the form of an issued one.
 */
function compareKey(
  { key, credential, keys }: Proofs,
  { holder, is_here }: { readonly holder: string; readonly is_here: boolean },
  { api_key }: CompiledAccess,
): Shown {
  const shut_ms = key === null && credential === null ? 0 : (keys?.shut(holder) ?? 0)
  // Nobody guesses a key as it is issued: whoever runs this host is not kept out of it by what others try through it.
  const is_compared = shut_ms === 0 || (is_here && key !== null && hasIssuedForm(key))
  // What stands in place of the key may be a token, which cannot be guessed: its handler says whether it is one.
  const presented = is_compared ? (key ?? credential) : null
  if (presented !== null && api_key !== null && api_key.equals(presented))
    return { refused: null, key: { text: presented, proof: api_key } }
  return { refused: shut_ms > 0 && key !== null ? tooManyWrong(shut_ms) : null, key: null }
}

const ofKey = (text: string, key: KeyProof) => ({
  class: 'key' as const,
  actor: key.actorOf?.(text) ?? 'key',
  key_id: key.idOf?.(text) ?? null,
  ...(key.readsOnly?.(text) === true && { reads_only: true as const }),
  ...(key.ended !== undefined && { keyEnded: () => key.ended?.(text) ?? null }),
})

interface Standing extends Pick<Proofs, 'seen'> {
  readonly stands: CallerAddress
  readonly known: Known
}

/** By its session, or by where it stands. */
function withoutKey(
  request: RequestFacts,
  { seen, stands, known }: Standing,
  policy: CompiledAccess,
): Caller {
  const session = known.is_near ? shownSession(request, seen, policy) : null
  if (session !== null && (session.is_proven || isSafe(request.method)))
    return {
      class: 'session',
      actor: session.actor,
      ...(session.reads_only && { reads_only: true as const }),
      ...known,
      session,
    }
  const place = placeOf(stands, policy)
  return { class: place, actor: place, ...known, ...(session !== null && { cookie_alone: true as const }) }
}

const shownSession = (request: RequestFacts, seen: TrustHeaders, { sessions }: CompiledAccess) =>
  sessions === null ? null : sessionIn(request, seen.one(SESSION_SECRET_HEADER), sessions)

/** Names beyond ASCII travel as UTF-8. Each counts exactly as it is written. */
const groupsIn = (seen: TrustHeaders): readonly string[] =>
  Buffer.from(seen.one('remote-groups') ?? '', 'latin1')
    .toString('utf8')
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '')

/** One answer, whether the key was compared or not: it must not tell who showed the right one. */
export const tooManyWrong = (retry_after_ms: Milliseconds): Refusal => ({
  ...refusal('rate_limited', 'Too many wrong keys from this network within a minute.'),
  retry_after_ms,
})

/** The canonical peer. A zone (`fe80::1%eth0`) says by which interface, not who. */
export const peerAddress = (peer: string | null): string | null =>
  peer === null ? null : canonicalAddress(peer.split('%', 1)[0]!)

const provesProxy = (seen: TrustHeaders, policy: CompiledAccess): boolean =>
  policy.proxy_secret?.equals(seen.one(PROXY_SECRET_HEADER) ?? '') === true

/**
 * The rightmost X-Forwarded-For entry that is not itself a trusted proxy: everything left of it was written by the
 * client or by strangers. Null when the proxies name nobody.
 */
function clientBehind(seen: TrustHeaders, policy: CompiledAccess): string | null | Refusal {
  for (const entry of seen.forwarded_for.toReversed()) {
    const address = forwardedAddress(entry)
    if (address === null)
      return refusal('malformed_request', `X-Forwarded-For holds ${quoted(entry)}, which is not an address.`)
    if (!policy.isTrustedProxy(address)) return address
  }
  return null
}

/** `192.0.2.7:4711`, `[2001:db8::7]:4711` or `[2001:db8::7]`, as several proxies write it: the port says nothing of who calls. */
const DECORATED =
  /^(?:(?<ipv4>[0-9.]+):(?<port4>[0-9]{1,5})|\[(?<ipv6>[0-9A-Fa-f:.]+)\](?::(?<port6>[0-9]{1,5}))?)$/

function forwardedAddress(entry: string): string | null {
  const { ipv4, port4, ipv6, port6 } = DECORATED.exec(entry)?.groups ?? {}
  if (Number(port4 ?? port6 ?? 0) > 65_535) return null
  if (ipv6 !== undefined && !ipv6.includes(':')) return null
  return canonicalAddress(ipv4 ?? ipv6 ?? entry)
}

interface CallerAddress {
  readonly peer: string | null
  /** The peer itself, or whom a proven proxy names; null where neither is an address. */
  readonly client: string | null
  readonly is_listed: boolean
  /** It is a listed proxy that proved itself. */
  readonly proxied: boolean
  readonly is_direct: boolean
}

function addressOf(
  request: RequestFacts,
  seen: TrustHeaders,
  policy: CompiledAccess,
): CallerAddress | Refusal {
  const peer = peerAddress(request.peer)
  const is_listed = peer !== null && policy.isTrustedProxy(peer)
  const proxied = is_listed && provesProxy(seen, policy)
  const client = proxied ? clientBehind(seen, policy) : peer
  if (client !== null && typeof client === 'object') return client
  return { peer, client, is_listed, proxied, is_direct: !is_listed && speaksForItself(request, seen) }
}

function holderOf({ peer, client, proxied, is_direct }: CallerAddress): string {
  const who = client ?? peer ?? ''
  const is_known = proxied ? client !== null : is_direct
  return is_known || who === '' ? clientNetwork(who) : `behind ${clientNetwork(who)}`
}

function placeOf(stands: CallerAddress, policy: CompiledAccess): 'local' | 'lan' | 'public' {
  if (policy.trusts_loopback && isThisHost(stands, policy)) return 'local'
  return isInNetwork(stands, policy) ? 'lan' : 'public'
}

const isThisHost = ({ peer, is_direct }: CallerAddress, policy: CompiledAccess): boolean =>
  is_direct && peer !== null && policy.isLoopback(peer)

const isInNetwork = ({ client, is_direct, proxied }: CallerAddress, policy: CompiledAccess): boolean =>
  client !== null && (is_direct || proxied) && policy.isTrustedNetwork(client)

/**
 * Where loopback is not trusted, this host itself is near all the same: a proxy may lead anybody here unseen, and a key or a
 * code has to be shown still, as it has with X-API-Key from anywhere.
 */
const isNear = (stands: CallerAddress, policy: CompiledAccess): boolean =>
  isThisHost(stands, policy) || isInNetwork(stands, policy)

/** Nobody stands behind it. */
export const speaksForItself = ({ http_version }: RequestFacts, { forwarded }: TrustHeaders): boolean =>
  !forwarded && http_version === '1.1'
