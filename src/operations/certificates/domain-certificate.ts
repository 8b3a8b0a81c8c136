/**
 * The certificate of one domain: what is served for it, by a real handshake, and what the proxy's store holds for it. What
 * cannot be seen is null, never "none".
 */
import { isoTime } from '../../kernel/clock.ts'
import { type CertificateFacts, covers, wildcardOf } from '../../model/certificate.ts'
import type { DomainRecord } from '../../model/domain.ts'
import type { AcmeReading } from '../../ports/acme-store.ts'
import type { Handshake, TlsPlace } from '../../ports/tls-probe.ts'
import type { Deps } from '../deps.ts'
import { findDomain } from '../domains/find.ts'
import { shown, stateOf } from './acme-status.ts'

export async function readDomainCertificate(deps: Deps, domain_id: number, signal: AbortSignal) {
  const { certificates, store, clock } = deps
  const record = await findDomain(store, domain_id)
  const reading = (await certificates.store?.read(signal)) ?? null
  const place = placeFor(deps, record)
  const seen = place === null ? null : await certificates.probe.handshake(place, signal)
  const now = clock.now()
  const served = seen?.ok === true ? seen.chain[0]! : null
  const held = heldFor(record, reading)
  return {
    domain_id,
    domain: record.domain,
    reachable: seen?.ok ?? false,
    managed_by_acme: managedByAcme(deps, record),
    in_acme_store: inStore(reading, held),
    asked: place === null ? null : { host: place.host, port: place.port, name: place.name },
    served: served && {
      ...shown(served),
      state: stateOf(served, now),
      covers_name: covers(served.names, record.domain),
    },
    chain: seen?.ok === true ? seen.chain.map(shown) : [],
    protocol: seen?.ok === true ? seen.protocol : null,
    distrust: seen?.ok === true ? seen.distrust : null,
    stored: held && { ...shown(held), state: stateOf(held, now) },
    covered_by_wildcard: (served ?? held)?.names.includes(wildcardOf(record.domain)) ?? null,
    /** Does the proxy serve what its store holds? Null while one of them is not known. */
    matches: served === null || held === null ? null : served.serial === held.serial,
    store_read_at: timeOf(reading?.content_at ?? null),
    last_error: errorOf(record, { place, seen, served, reading }),
  }
}

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at))

/** Names that are served internally only are not asked from here, unless it was said where the proxy is. */
function placeFor(
  { certificates, entrypoint_ports, https_entrypoint }: Deps,
  record: DomainRecord,
): TlsPlace | null {
  const { domain, service_type, ssl_enabled, protocol, tcp_entrypoint } = record
  if (!ssl_enabled || service_type === 'manual') return null
  if (certificates.tls_address !== null) return { ...certificates.tls_address, name: domain }
  if (service_type === 'internal' || domain.startsWith('*.')) return null
  const entrypoint = protocol === 'tcp' ? tcp_entrypoint : https_entrypoint
  return { host: domain, port: entrypoint_ports[entrypoint ?? ''] ?? 443, name: domain }
}

/** The proxy asks its resolver for public names with TLS. Null where it is not known to have one. */
function managedByAcme({ certificates }: Deps, { ssl_enabled, service_type }: DomainRecord): boolean | null {
  if (!ssl_enabled || service_type === 'internal' || service_type === 'manual') return false
  return certificates.cert_resolver === null ? null : true
}

/** The one that ends last, of those that hold the name. */
function heldFor({ domain }: DomainRecord, reading: AcmeReading | null): CertificateFacts | null {
  const all = reading?.content?.resolvers.flatMap(({ certificates }) => certificates) ?? []
  const holding = all.filter(({ names }) => covers(names, domain))
  return holding.toSorted((a, b) => b.not_after - a.not_after)[0] ?? null
}

/** Where the store was never read, nothing is known; a good look that does not hold it says that it is not there. */
const inStore = (reading: AcmeReading | null, held: CertificateFacts | null): boolean | null =>
  reading === null || reading.content === null ? null : held !== null

interface Seen {
  readonly place: TlsPlace | null
  readonly seen: Handshake | null
  readonly served: CertificateFacts | null
  readonly reading: AcmeReading | null
}

/** In plain words, with what would help. */
function errorOf(record: DomainRecord, { place, seen, served, reading }: Seen): string | null {
  if (seen?.ok === false) return seen.detail
  if (served !== null && !covers(served.names, record.domain))
    return (
      `What is served is for ${served.names.join(', ') || 'no name'} (issuer ${served.issuer}), as the proxy's default ` +
      'certificate is: it has none for this name yet. Look at its log for the order.'
    )
  if (reading !== null && reading.state === 'refused') return reading.detail
  return place === null && record.service_type === 'internal'
    ? 'It is served internally only; set PLUMBLINE_TLS_ADDRESS to see what the proxy serves.'
    : null
}
