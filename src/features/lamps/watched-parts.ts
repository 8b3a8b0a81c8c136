/** What is seen of a domain beside the keys: by the proxy, name servers, handshakes and anonymous requests. Pure. */
import type { Instant } from '../../kernel/clock.ts'
import type { HealthComponent } from '../../model/health.ts'
import type { IndexedCertificate, IndexedCertificates } from '../certificates/managed/certificate-index.ts'
import { CERTIFICATES } from '../certificates/managed/list.ts'
import { CERTIFICATES_SERVED } from '../certificates/wire/wire-drift.ts'
import type { WireObservation } from '../certificates/wire/wire-watch.ts'
import type { Propagation } from '../dns/integrity/propagation.ts'
import { PROOF_KEY } from '../sso/proof/target.ts'
import type { Proof } from '../sso/service.ts'
import type { LampPart } from './part.ts'
import type { LampState } from './states.ts'

/** The part of the health page of the proxy, or of the folder that it reads, made ready for many questions. */
export interface SeenProxy {
  readonly part: HealthComponent
  /** By domain, the first of what the proxy does otherwise. */
  readonly of_domains: ReadonlyMap<string, { readonly cause: string; readonly detail: string }>
  /** It does not run the newest file: that is everybody's. */
  readonly common: { readonly cause: string; readonly detail: string } | null
  /** More differs than is listed, so nothing can be said of those that are not. */
  readonly is_cut: boolean
}

export function seenProxy(part: HealthComponent): SeenProxy {
  const { differences, causes } = part
  const of_domains = new Map<string, { cause: string; detail: string }>()
  for (const { domains, cause, detail } of differences)
    for (const domain of domains) if (!of_domains.has(domain)) of_domains.set(domain, { cause, detail })
  const counted = Object.values(causes).reduce((sum, count) => sum + count, 0)
  return {
    part,
    of_domains,
    common: differences.find(({ cause }) => cause === 'not_loaded') ?? null,
    is_cut: differences.length > 0 && counted > differences.length,
  }
}

/** Null while its API is not set. */
export function proxyPart(proxy: SeenProxy | null, names: readonly string[]): LampPart | null {
  if (proxy === null || !proxy.part.configured) return null
  const { part, of_domains, common, is_cut } = proxy
  const base = { source: part.name, seen_at: part.observed_at }
  const own = names.map((name) => of_domains.get(name)).find((one) => one !== undefined)
  if (own !== undefined)
    return {
      ...base,
      state: own.cause === 'rejected' ? 'wrong' : 'differs',
      cause: own.cause,
      message: own.detail,
    }
  if (common !== null) return { ...base, state: 'differs', cause: common.cause, message: common.detail }
  if (part.drift === null) return { ...base, state: 'unknown', cause: part.reason, message: part.message }
  if (is_cut) return { ...base, state: 'unknown', cause: 'not_listed', message: NOT_LISTED }
  return { ...base, state: 'true', cause: null, message: 'The proxy runs it.' }
}

/** Null where no other file of the folder has requests of it. */
export function folderPart(folder: SeenProxy | null, names: readonly string[]): LampPart | null {
  if (folder === null) return null
  const { part, of_domains, is_cut } = folder
  const base = { source: part.name, seen_at: part.observed_at }
  const own = names.map((name) => of_domains.get(name)).find((one) => one !== undefined)
  if (own !== undefined) return { ...base, state: 'differs', cause: own.cause, message: own.detail }
  return is_cut && part.causes['shadowed'] !== undefined
    ? { ...base, state: 'unknown', cause: 'not_listed', message: NOT_LISTED }
    : null
}

const NOT_LISTED = 'The proxy does more otherwise than is kept of it; explain looks at this one.'

const BY_PROPAGATION: Readonly<Record<Propagation['state'], LampState>> = {
  synced: 'true',
  propagating: 'moving',
  slow: 'wrong',
  unknown: 'unknown',
}

export const propagationPart = ({ set, state, detail, checked_at }: Propagation): LampPart => ({
  source: 'dns-integrity',
  state: checked_at === null ? 'unknown' : BY_PROPAGATION[state],
  cause: state === 'synced' ? null : state,
  message: detail ?? `${set.name} ${set.type}: ${PROPAGATES[state]}`,
  seen_at: checked_at,
})

const PROPAGATES: Readonly<Record<Propagation['state'], string>> = {
  synced: 'every authoritative server shows it.',
  propagating: 'not every authoritative server shows it yet.',
  slow: 'not every authoritative server shows it ten minutes after the change.',
  unknown: 'an authoritative server could not be asked.',
}

/** What was read of certificates says nothing any more when it is older than this. */
const INDEX_STALE_MS = 180_000

const MISSING =
  'No certificate covers it: the store of the proxy holds none for this name, and none of ours is for it. The log of the proxy says what became of its order.'

/** @param own those that cover the domain; the one that is ours goes first, then the one that lasts longest */
export function indexedPart(
  index: IndexedCertificates | null,
  own: readonly IndexedCertificate[],
  now: Instant,
): LampPart {
  const base = { source: CERTIFICATES, seen_at: index?.at ?? null }
  const unknown = (cause: string, message: string): LampPart => ({
    ...base,
    state: 'unknown',
    cause,
    message,
  })
  if (index === null) return unknown('never_looked', 'Nobody has looked at it yet.')
  if (now - index.at > INDEX_STALE_MS) return unknown('stale', 'The last look is too old to say.')
  if (index.detail !== null) return unknown('unreadable', index.detail)
  const one = own.reduce<IndexedCertificate | null>(better, null)
  if (one === null) return unknown('missing', MISSING)
  return { ...base, ...certificateState(one, now) }
}

function better(a: IndexedCertificate | null, b: IndexedCertificate): IndexedCertificate {
  if (a === null) return b
  const is_ours = (one: IndexedCertificate) => one.source === 'manager' && one.wanted
  if (is_ours(a) !== is_ours(b)) return is_ours(a) ? a : b
  return (a.certificate?.not_after ?? '') >= (b.certificate?.not_after ?? '') ? a : b
}

function certificateState(
  { name, certificate, order_step, last_error }: IndexedCertificate,
  now: Instant,
): Pick<LampPart, 'state' | 'cause' | 'message'> {
  const ends = certificate?.not_after ?? null
  if (ends !== null && Date.parse(ends) <= now)
    return { state: 'wrong', cause: 'expired', message: last_error ?? `${name} ended at ${ends}.` }
  if (last_error !== null) return { state: 'wrong', cause: 'failing', message: last_error }
  if (ends !== null) return { state: 'true', cause: null, message: `${name} lasts until ${ends}.` }
  const message =
    order_step === null ? `${name} is to be ordered.` : `${name} is being ordered (${order_step}).`
  return { state: 'moving', cause: 'missing', message }
}

const BY_DRIFT = { false: 'true', true: 'differs', null: 'unknown' } as const

export const wirePart = (observation: WireObservation | null): LampPart =>
  observation === null
    ? { source: CERTIFICATES_SERVED, ...NEVER_ASKED }
    : {
        source: CERTIFICATES_SERVED,
        state: BY_DRIFT[`${observation.drift}`],
        cause: observation.drift === true ? 'not_served' : observation.drift === null ? 'unreadable' : null,
        message: observation.detail ?? 'It is served its own certificate.',
        seen_at: observation.at,
      }

const NEVER_ASKED = {
  state: 'unknown',
  cause: 'never_looked',
  message: 'Nobody has asked it yet.',
  seen_at: null,
} as const

/** Of a protected route that can be proven. */
export function proofPart(proof: Proof | undefined): LampPart {
  if (proof === undefined) return { source: PROOF_KEY, ...NEVER_ASKED }
  const { result, evidence, at } = proof
  const base = { source: PROOF_KEY, seen_at: at }
  if (result === 'closed')
    return { ...base, state: 'true', cause: null, message: `Proven closed: ${evidence}.` }
  if (result === 'open')
    return { ...base, state: 'wrong', cause: 'route_open', message: `It is open: ${evidence}.` }
  return {
    ...base,
    state: 'unknown',
    cause: 'not_proven',
    message: `It is not proven to be closed: ${evidence}.`,
  }
}

export const quarantinedPart = (reason: string, seen_at: Instant): LampPart => ({
  source: PROOF_KEY,
  state: 'wrong',
  cause: 'quarantined',
  message: reason,
  seen_at,
})

/** Whether somebody answers there at all, by what was asked for other reasons. */
export function answeredPart(
  wire: WireObservation | null | undefined,
  proof: Proof | undefined,
): LampPart | null {
  const asked = [
    ...(wire === undefined || wire === null
      ? []
      : [{ at: wire.at, known: wire.drift !== null, said: wire.detail }]),
    ...(proof === undefined
      ? []
      : [{ at: proof.at, known: proof.result !== 'unknown', said: proof.evidence }]),
  ].toSorted((a, b) => b.at - a.at)
  const [last] = asked
  if (last === undefined) return wire === null ? { source: 'probe', ...NEVER_ASKED } : null
  return last.known
    ? { source: 'probe', state: 'true', cause: null, message: 'The proxy answers for it.', seen_at: last.at }
    : {
        source: 'probe',
        state: 'unknown',
        cause: 'no_answer',
        message: last.said ?? 'It did not answer.',
        seen_at: last.at,
      }
}
