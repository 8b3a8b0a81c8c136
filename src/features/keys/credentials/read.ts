/** Every credential that lets somebody in here, and those with which we are let in elsewhere: how old each is, and what is due. */
import { type Clock, type Instant, isoTime, isoTimeOrNull } from '../../../kernel/clock.ts'
import { hasEnded } from '../../../kernel/issued-secret.ts'
import type { IssuedToken } from '../../../kernel/issued-tokens.ts'
import type { Store } from '../../../ports/store.ts'
import type { TokenRecords } from '../../../store/token-rows.ts'
import type { Ddns } from '../../ddns/ddns.ts'
import { isRotationDue, nextRotation } from '../../../kernel/quarterly.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import { MAIN } from '../key-ids.ts'
import { type Keys, rotatedElsewhere } from '../key-view.ts'
import { edgeRecords, edgeTokens } from '../../edges/records.ts'
import { heartbeatRecords, heartbeatTokens } from '../../heartbeats/records.ts'
import { ddnsRecords } from '../../ddns/records.ts'

export const CREDENTIAL_KINDS = ['api_key', 'ddns_key', 'edge_token', 'heartbeat_token', 'external'] as const
export const CREDENTIAL_STATES = ['valid', 'rotation_due', 'ending', 'ended'] as const

export interface Credential {
  readonly kind: (typeof CREDENTIAL_KINDS)[number]
  /** Of this one alone among its kind: several may have one name. */
  readonly id: string
  /** Of the key, the host, the edge, the heartbeat, or the setting. */
  readonly name: string
  readonly state: (typeof CREDENTIAL_STATES)[number]
  readonly since: Instant
  readonly expires_at: Instant | null
  /** How it is rotated. */
  readonly remedy: string
}

export interface CredentialParts {
  readonly store: Pick<Store, 'of'>
  readonly keys: Pick<Keys, 'ring' | 'foreign'>
  readonly ddns: Pick<Ddns, 'tokens'>
  readonly clock: Clock
}

interface Bare extends Omit<Credential, 'state'> {
  readonly has_ended: boolean
}

/** By kind, then as each kind is listed. */
export async function credentials(parts: CredentialParts, now: Instant): Promise<readonly Credential[]> {
  const { keys, ddns } = parts
  const of_keys = keys.ring.list().map((key): Bare => ({
    kind: 'api_key',
    ...ofIssued(key, now),
    name: key.name,
    remedy: (key.name === MAIN && rotatedElsewhere(keys.ring)) || `plumbline keys rotate ${key.id}`,
  }))
  const of_ddns = ddns.tokens.list().map((token): Bare => ({
    kind: 'ddns_key',
    ...ofIssued(token, now),
    name: token.host,
    remedy: `plumbline token rotate ${token.id}`,
  }))
  const of_others = keys.foreign.list().map(({ name, since }): Bare => ({
    kind: 'external',
    id: name,
    name,
    since,
    expires_at: null,
    has_ended: false,
    remedy: `Issue another one at the provider, put it into ${name}, restart, and end the old one there.`,
  }))
  const edges = await parts.store.of(edgeRecords).edges()
  const heartbeats = await parts.store.of(heartbeatRecords).heartbeats()
  return [
    ...of_keys,
    ...of_ddns,
    ...(await ofOwners(parts, { kind: 'edge_token', verb: 'edges', owners: edges, tokens: edgeTokens }, now)),
    ...(await ofOwners(
      parts,
      { kind: 'heartbeat_token', verb: 'heartbeats', owners: heartbeats, tokens: heartbeatTokens },
      now,
    )),
    ...of_others,
  ].map(({ has_ended, ...one }) => {
    const state = has_ended ? 'ended' : stateOf(one, now)
    return { ...one, state, remedy: state === 'ending' ? SUCCEEDED : one.remedy }
  })
}

const ofIssued = (
  issued: IssuedToken,
  now: Instant,
): Pick<Bare, 'id' | 'since' | 'expires_at' | 'has_ended'> => ({
  id: issued.id,
  since: issued.created_at,
  expires_at: issued.expires_at,
  has_ended: hasEnded(issued, now),
})

/** Nobody has to rotate it once more. */
const SUCCEEDED = 'Its successor is issued, and it ends by itself: put the new one where this one is used.'

interface TokenOwners {
  readonly kind: Credential['kind']
  readonly verb: string
  readonly owners: readonly { readonly id: number; readonly name: string }[]
  readonly tokens: TokenRecords
}

async function ofOwners(
  { store }: Pick<CredentialParts, 'store'>,
  { kind, verb, owners, tokens }: TokenOwners,
  now: Instant,
): Promise<readonly Bare[]> {
  const rows = await Promise.all(owners.map(({ id }) => store.of(tokens).of(id)))
  return owners.flatMap(({ name }, i) =>
    rows[i]!.map((token) => ({
      kind,
      ...ofIssued(token, now),
      name,
      remedy: `plumbline ${verb} rotate ${shellWord(name)}`,
    })),
  )
}

/** What is due stays valid: nobody is shut out at the end of a quarter. */
function stateOf(
  { since, expires_at }: Pick<Bare, 'since' | 'expires_at'>,
  now: Instant,
): Credential['state'] {
  if (expires_at !== null) return 'ending'
  return isRotationDue(since, now) ? 'rotation_due' : 'valid'
}

export async function readCredentials(parts: CredentialParts) {
  const now = parts.clock.now()
  const last = await parts.store.of(ddnsRecords).lastRotation()
  return {
    next_rotation_at: isoTime(nextRotation(now)),
    last_rotation_at: isoTimeOrNull(last),
    credentials: (await credentials(parts, now)).map(({ since, expires_at, ...rest }) => ({
      ...rest,
      since: isoTime(since),
      expires_at: isoTimeOrNull(expires_at),
    })),
  }
}
