/**
 * The certificate of one domain: what is served for it, by a real handshake, and what the proxy's store holds for it. What
 * cannot be seen is null, never "none".
 */
import { driftOver } from '../../model/drift.ts'
import type { Instant } from '../../kernel/clock.ts'
import { type CertificateFacts, covers, wildcardOf } from '../../model/network/certificate.ts'
import type { DomainRecord } from '../../model/domain/record.ts'
import type { ManagedView } from './view.ts'
import type { TlsPlace } from './tls-probe/port.ts'
import type { Deps } from './deps.ts'
import { findDomain } from '../../core/find-domain.ts'
import { available, expectations } from './wire/expected.ts'
import { type EvaluatedView, managedList } from './managed/list.ts'
import { shown, shownWithState } from './managed/shown.ts'
import { faultOf } from './fault.ts'
import { isoTimeOrNull } from '../../kernel/clock.ts'

export async function readDomainCertificate(deps: Deps, domain_id: number, signal: AbortSignal) {
  const { certificates, store, clock } = deps
  const record = await findDomain(store, domain_id)
  const { domain } = record
  const place = placeFor(deps, record)
  const [reading, seen, ours] = await Promise.all([
    certificates.store?.read(signal) ?? null,
    place && certificates.probe.handshake(place, signal),
    managedList(deps, await store.intent('released'), signal),
  ])
  const now = clock.now()
  const wire = seen?.ok === true ? seen : null
  const served = wire?.chain[0] ?? null
  const content = available(reading)
  const internal = record.service_type === 'internal'
  const { cert_resolver } = certificates
  const views = ours?.views ?? null
  const expected = expectations<EvaluatedView>({ reading, views, cert_resolver })({ domain, internal })
  const { stored, manager, no_resolver } = expected
  const held = stored.find(({ serial }) => serial === served?.serial) ?? expected.held
  // Kept for every other page.
  const observation = seen && (await certificates.wire?.note(domain, seen, signal))
  const drifts = [...(manager === null ? [] : [manager.drift]), ...(observation ? [observation.drift] : [])]
  return {
    domain_id,
    domain,
    // By the contract, whatever the proxy shows of it here: nobody outside is served it.
    reachable: wire !== null && !internal,
    managed_by_acme: managedByAcme(deps, record, manager),
    in_acme_store: content === null ? null : held !== null,
    asked: place,
    served: served && { ...shownWithState(served, now), covers_name: covers(served.names, domain) },
    chain: wire?.chain.map(shown) ?? [],
    protocol: wire?.protocol ?? null,
    distrust: wire?.distrust ?? null,
    stored: held && shownWithState(held, now),
    covered_by_wildcard: byWildcard(served ?? held, domain),
    /** Does the proxy serve what its store holds? Null while one of them is not known. */
    matches: served === null || held === null ? null : served.serial === held.serial,
    store_read_at: isoTimeOrNull(reading?.content_at ?? null),
    manager: manager && shownManager(manager, now),
    drift: drifts.length === 0 ? null : driftOver(drifts),
    cause: manager?.cause ?? (observation?.drift === true ? ('not_served' as const) : null),
    last_error:
      (manager === null ? ours?.detail : null) ??
      faultOf({ domain, internal, seen, held, reading, manager, no_resolver }, now),
  }
}

/** Names that are served internally only are not asked from here, unless it was said where the proxy is. */
function placeFor(
  { certificates, entrypoint_ports, https_entrypoint }: Deps,
  { domain, service_type, ssl_enabled, protocol, tcp_entrypoint }: DomainRecord,
): TlsPlace | null {
  if (!ssl_enabled || service_type === 'manual') return null
  if (certificates.tls_address !== null) {
    const { host, port } = certificates.tls_address
    return { host, port, name: domain }
  }
  if (service_type === 'internal' || domain.startsWith('*.')) return null
  const entrypoint = protocol === 'tcp' ? tcp_entrypoint : https_entrypoint
  return { host: domain, port: entrypoint_ports[entrypoint ?? ''] ?? 443, name: domain }
}

/** Our manager orders by ACME; so does the proxy's resolver for public names. Null where it is not known to have one. */
function managedByAcme(
  { certificates }: Deps,
  { ssl_enabled, service_type }: DomainRecord,
  manager: ManagedView | null,
): boolean | null {
  if (manager !== null) return true
  if (!ssl_enabled || service_type === 'internal' || service_type === 'manual') return false
  return certificates.cert_resolver === null ? null : true
}

/** By nothing but a wildcard one label above it. */
const byWildcard = (facts: CertificateFacts | null, domain: string): boolean | null =>
  facts && !facts.names.includes(domain) && facts.names.includes(wildcardOf(domain))

const shownManager = (
  { name, directory, installed, order_step, next_attempt_at, last_error }: ManagedView,
  now: Instant,
) => ({
  name,
  directory,
  installed: installed && shownWithState(installed, now),
  order_step,
  next_attempt_at: isoTimeOrNull(next_attempt_at),
  last_error,
})
