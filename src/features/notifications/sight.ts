/** One look at everything that troubles are read from. Nothing outside is asked; the proxy's store costs a stat. */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Intent } from '../../model/intent.ts'
import type { AcmeReading, AcmeStore } from '../certificates/acme-store/port.ts'
import { watchedComponent } from '../health/rounds/watched-component.ts'
import { credentials } from '../keys/credentials/read.ts'
import type { HeldCertificate } from './troubles/certificate-troubles.ts'
import type { NotificationParts } from './desk.ts'
import type { Sighting } from './sighting.ts'
import { troublesOf } from './troubles/troubles.ts'
import { edgeRecords } from '../edges/records.ts'
import { ssoRecords } from '../sso/records.ts'
import { certificateRecords } from '../certificates/records.ts'

/** The share of its life after which a proxy renews a certificate, as the manager does. */
const RENEWED_AFTER = 2 / 3
const STORE_WITHIN_MS: Milliseconds = 5000

/** When one looks, and since when one could. */
export interface LookTime {
  readonly now: Instant
  /** Since when this process has run without a gap. */
  readonly awake_since: Instant
}

/** @param time the same as for everything that is decided from it */
export async function sight(
  parts: NotificationParts,
  { now, awake_since }: LookTime,
  signal: AbortSignal,
): Promise<Sighting> {
  const { store, engine, edges, policy, proof_component, health } = parts
  const watched = health.rounds.watched().map((one) => watchedComponent(one, now))
  const invariants = health.invariants.standing()
  const integrity = parts.dns_watch.integrity.last
  const released = await store.intent('released')
  const working = await store.intent('working')
  const { held, unknown } = await certificatesHeld(parts, signal)
  return troublesOf({
    keys: await engine.conditions(),
    conditions: {
      now,
      awake_since,
      after_ms: policy.after_ms,
      names: namesById(released, working),
      proof_component,
    },
    certificates: held,
    of_certificates: { now, days: policy.certificate_days, domains: withTls(released), unknown },
    edges: (await store.of(edgeRecords).edges()).map((edge) => edges.contacts.latest(edge)),
    edge_clock: { ...edges.time(), now },
    quarantine: await store.of(ssoRecords).quarantine(),
    watched,
    invariants,
    integrity,
    zoneKey: parts.zoneKey,
    ddns_tokens: parts.ddns.tokens.list(),
    credentials: await credentials(parts, now),
  })
}

/** The name that a record has now; for one that is gone, the name under which it is still released. */
const namesById = (released: Intent, working: Intent): ReadonlyMap<number, string> =>
  new Map([...released.rows, ...working.rows].map(({ domain_id, fields }) => [domain_id, fields.domain]))

const withTls = ({ rows }: Intent): readonly string[] =>
  rows.filter(({ live, fields }) => live && fields.ssl_enabled).map(({ fields }) => fields.domain)

interface Held {
  readonly held: readonly HeldCertificate[]
  readonly unknown: readonly HeldCertificate['source'][]
}

async function certificatesHeld(parts: NotificationParts, signal: AbortSignal): Promise<Held> {
  const ours = await byManager(parts)
  const acme_store = parts.certificates.store
  if (acme_store === null) return { held: ours, unknown: [] }
  const reading = await readWithin(acme_store, signal)
  if (reading === null) return { held: ours, unknown: ['proxy'] }
  const theirs = (reading.content?.resolvers ?? []).flatMap(({ name, certificates }) =>
    certificates.map(({ names, not_before, not_after }): HeldCertificate => ({
      source: 'proxy',
      place: name,
      names,
      not_before,
      not_after,
      renewal_at: not_before + (not_after - not_before) * RENEWED_AFTER,
      detail: null,
    })),
  )
  return { held: [...ours, ...theirs], unknown: reading.state === 'good' ? [] : ['proxy'] }
}

/** Null where it takes too long. */
async function readWithin(store: AcmeStore, signal: AbortSignal): Promise<AcmeReading | null> {
  const late = AbortSignal.timeout(STORE_WITHIN_MS)
  try {
    return await store.read(AbortSignal.any([signal, late]))
  } catch (error) {
    if (late.aborted && !signal.aborted) return null
    throw error
  }
}

async function byManager({
  store,
  certificates,
  renewalAt,
}: NotificationParts): Promise<readonly HeldCertificate[]> {
  if (certificates.manager === null) return []
  const trouble = new Map(
    (await store.of(certificateRecords).certificateTrouble()).map(({ name, message }) => [name, message]),
  )
  return (await store.of(certificateRecords).certificates()).map((certificate) => ({
    source: 'manager',
    place: certificate.directory,
    names: certificate.names,
    not_before: certificate.not_before,
    not_after: certificate.not_after,
    renewal_at: renewalAt(certificate),
    detail: trouble.get(certificate.name) ?? null,
  }))
}
