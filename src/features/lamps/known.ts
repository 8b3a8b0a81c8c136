/**
 * What is known of all domains by now, gathered once for an answer: statuses of keys, the last looks of others, and both
 * editions. Nothing is looked at: no request, no question to a name server, no file.
 */
import type { Instant } from '../../kernel/clock.ts'
import type { HealthComponent } from '../../model/health.ts'
import type { Intent } from '../../model/intent.ts'
import type { Responsibility } from '../certificates/target/desire.ts'
import type { IndexedCertificate, IndexedCertificates } from '../certificates/managed/certificate-index.ts'
import { CERTIFICATES, CERTIFICATES_FILE } from '../certificates/managed/list.ts'
import type { WireObservation } from '../certificates/wire/wire-watch.ts'
import type { Propagation } from '../dns/integrity/propagation.ts'
import { hasServed } from '../dns/service.ts'
import { namesWithoutAddress } from '../dns/records/without-record.ts'
import { ROUTES_KEY } from '../routes/target/diff.ts'
import { PROOF_KEY } from '../sso/proof/target.ts'
import { type Quarantined, ssoRecords } from '../sso/records.ts'
import type { Proof } from '../sso/service.ts'
import type { Deps } from './deps.ts'
import type { BackendLooks } from './backend-part.ts'
import { type KnownKey, knownKey } from './kept-part.ts'
import { type KnownRecord, LampRecords } from './records.ts'
import { type SeenProxy, seenProxy } from './watched-parts.ts'

export interface Known {
  readonly now: Instant
  readonly records: readonly KnownRecord[]
  readonly routes: KnownKey | null
  readonly proxy: SeenProxy | null
  /** The other files beside the routes file. */
  readonly folder: SeenProxy | null
  readonly dns: KnownDns
  readonly certificates: KnownCertificates
  readonly sign_in: KnownSignIn
  /** The last look at the backend of a domain. */
  readonly backendOf: (domain_id: number) => BackendLooks
}

interface KnownDns {
  readonly is_configured: boolean
  readonly keys: ReadonlyMap<string, KnownKey>
  /** Why the zone of a name without one cannot be told, else null. */
  readonly unknown_because: Pick<HealthComponent, 'reason' | 'message' | 'observed_at'> | null
  readonly unaddressed: ReadonlySet<number>
  readonly propagation: ReadonlyMap<number, readonly Propagation[]>
  readonly is_watched: boolean
  readonly was_checked: boolean
}

interface KnownCertificates {
  /** Whose certificates are looked at: those that our manager obtains, and those in the store of the proxy. */
  readonly ours: Responsibility | null
  readonly has_store: boolean
  readonly index: IndexedCertificates | null
  readonly of_domain: ReadonlyMap<number, readonly IndexedCertificate[]>
  readonly keys: ReadonlyMap<string, KnownKey>
  readonly file: KnownKey | null
  /** By domain; null where nobody watches. A name that is in it with null was never asked. */
  readonly wire: ReadonlyMap<string, WireObservation | null> | null
}

interface KnownSignIn {
  readonly rules: KnownKey | null
  readonly proof: KnownKey | null
  /** Null where nobody asks. */
  readonly proofs: ReadonlyMap<string, Proof> | null
  readonly not_provable: ReadonlySet<string>
  readonly quarantine: ReadonlyMap<number, Quarantined>
}

/** @param kept what the editions alone decide, from one answer to the next */
export async function whatIsKnown(deps: Deps, kept: LampRecords): Promise<Known> {
  const { engine, store, clock, health, history } = deps
  const [released, pending, records] = await Promise.all([
    store.intent('released'),
    engine.pendingRelease(),
    kept.read(deps),
  ])
  await health.rounds.refresh()
  await engine.understood(UNDERSTANDING_MS)
  const now = clock.now()
  const keys = new Map(engine.statuses(pending).map((status) => [status.key, knownKey(status, now)]))
  const parts = new Map(health.watched(now).map(({ part }) => [part.name, part]))
  const seen = (name: string): SeenProxy | null => {
    const part = parts.get(name)
    return part === undefined ? null : seenProxy(part)
  }
  return {
    now,
    records,
    routes: keys.get(ROUTES_KEY) ?? null,
    proxy: seen('proxy'),
    folder: seen('routes_folder'),
    dns: await knownDns(deps, keys, parts),
    certificates: await knownCertificates(deps, keys),
    sign_in: await knownSignIn(deps, keys, released),
    backendOf: (domain_id) => ({ last: history.last(domain_id), every_ms: history.looks_every_ms }),
  }
}

/** A pass whose answer went out is in it, unless what explains it hangs. */
const UNDERSTANDING_MS = 200

async function knownDns(
  { dns, dns_watch, store }: Deps,
  keys: ReadonlyMap<string, KnownKey>,
  parts: ReadonlyMap<string, HealthComponent>,
): Promise<KnownDns> {
  const is_configured = dns.providers.length > 0
  const unseen = [...parts.values()].find(
    ({ component, configured, drift }) => component === 'dns_account' && configured && drift === null,
  )
  const result = dns_watch.integrity.last
  return {
    is_configured,
    keys,
    unknown_because: unseen ?? null,
    unaddressed: new Set(
      is_configured ? (await namesWithoutAddress({ store, dns })).map(({ domain_id }) => domain_id) : [],
    ),
    propagation: Map.groupBy(result?.names ?? [], ({ set }) => set.domain_id),
    is_watched: hasServed(dns),
    was_checked: result !== null,
  }
}

async function knownCertificates(
  { certificates }: Deps,
  keys: ReadonlyMap<string, KnownKey>,
): Promise<KnownCertificates> {
  const { index, manager, store, wire } = certificates
  const of_domain = new Map<number, IndexedCertificate[]>()
  for (const one of index.last?.certificates ?? [])
    for (const { domain_id } of one.domains)
      of_domain.set(domain_id, [...(of_domain.get(domain_id) ?? []), one])
  const observed = wire === null ? null : await wire.observations()
  return {
    ours: manager?.responsibility ?? null,
    has_store: store !== null,
    index: index.last,
    of_domain,
    keys: new Map([...keys].filter(([, { status }]) => status.component === CERTIFICATES)),
    file: keys.get(CERTIFICATES_FILE) ?? null,
    wire: observed && new Map(observed.map(({ domain, observation }) => [domain, observation])),
  }
}

async function knownSignIn(
  { sso, store }: Deps,
  keys: ReadonlyMap<string, KnownKey>,
  released: Intent,
): Promise<KnownSignIn> {
  const { rules, proof } = sso
  const quarantine = await store.of(ssoRecords).quarantine()
  return {
    rules: rules === null ? null : (keys.get(rules.component) ?? null),
    proof: keys.get(PROOF_KEY) ?? null,
    proofs: proof?.last() ?? null,
    not_provable: new Set(proof?.notProvable(released).map(({ domain }) => domain)),
    quarantine: new Map(quarantine.map((row) => [row.domain_id, row])),
  }
}
