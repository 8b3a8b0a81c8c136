/** The five lamps of one domain, out of what is known of all. Pure. */
import { certificateKey } from '../certificates/target/diff.ts'
import { backendPart } from './backend-part.ts'
import { type KeptRecord, type KnownKey, keptPart } from './kept-part.ts'
import type { Known } from './known.ts'
import { type Lamp, lampOf, type LampPart } from './part.ts'
import type { KnownRecord } from './records.ts'
import type { LampName } from './states.ts'
import {
  answeredPart,
  folderPart,
  indexedPart,
  proofPart,
  propagationPart,
  proxyPart,
  quarantinedPart,
  wirePart,
} from './watched-parts.ts'

export type Lamps = Readonly<Record<LampName, Lamp>>

export const lampsOf = (known: Known, record: KnownRecord): Lamps => ({
  route: routeLamp(known, record),
  dns: dnsLamp(known, record),
  certificate: certificateLamp(known, record),
  sign_in: signInLamp(known, record),
  probe: probeLamp(known, record),
})

const keptOf = (known: KnownKey | null, record: KnownRecord, is_asked: boolean): LampPart | null => {
  const { domain_id, names, pending } = record
  const asked: KeptRecord = { domain_id, names, pending, is_asked }
  return known === null ? null : keptPart(known, asked)
}

function routeLamp({ routes, proxy, folder }: Known, record: KnownRecord): Lamp {
  const { asks, deployed, names } = record
  const beside = deployed?.route === true ? [proxyPart(proxy, names), folderPart(folder, names)] : []
  return lampOf([keptOf(routes, record, asks.route), ...beside])
}

function dnsLamp({ dns }: Known, record: KnownRecord): Lamp {
  if (!dns.is_configured) return lampOf([], 'No DNS account is set up.')
  const { asks, deployed, dns_key, domain_id } = record
  const is_asked = asks.dns
  if (dns_key === null) return lampOf([is_asked ? accountPart(dns) : null], 'No account has its zone.')
  const is_made = is_asked && !dns.unaddressed.has(domain_id)
  const kept = keptOf(dns.keys.get(dns_key) ?? null, record, is_made)
  return lampOf(
    [kept, ...(is_made && deployed?.dns === true ? propagationOf(dns, record) : [])],
    is_asked ? 'No DNS record is made: no address is known for it.' : undefined,
  )
}

function accountPart({ unknown_because: unseen }: Known['dns']): LampPart | null {
  if (unseen === null) return null
  const { reason, message, observed_at } = unseen
  return { source: 'dns_account', state: 'unknown', cause: reason, message, seen_at: observed_at }
}

function propagationOf(dns: Known['dns'], { domain_id }: KnownRecord): readonly LampPart[] {
  if (!dns.is_watched) return []
  if (dns.was_checked) return (dns.propagation.get(domain_id) ?? []).map(propagationPart)
  const message = 'Name servers were not asked yet.'
  return [{ source: 'dns-integrity', state: 'unknown', cause: 'never_looked', message, seen_at: null }]
}

function certificateLamp({ certificates, now }: Known, record: KnownRecord): Lamp {
  const { has_store, index, of_domain, keys, file, wire } = certificates
  const { deployed } = record
  if (deployed?.certificate !== true) return lampOf([])
  const own = of_domain.get(record.domain_id) ?? []
  const ours = own.find(({ source, wanted }) => source === 'manager' && wanted)
  const { domain, service_type } = deployed
  // No resolver obtains one for what is served internally only; what the proxy obtains is seen in its store alone.
  const is_internal = service_type === 'internal'
  const is_ours = certificates.ours === 'all' || (certificates.ours === 'internal' && is_internal)
  const is_looked_at = own.length > 0 || is_ours || (has_store && !is_internal)
  return lampOf(
    [
      is_looked_at ? indexedPart(index, own, now) : null,
      ours === undefined ? null : keptOf(keys.get(certificateKey(ours.name)) ?? null, record, true),
      ours === undefined ? null : keptOf(file, record, true),
      wire === null ? null : wirePart(wire.get(domain) ?? null),
    ],
    is_internal ? undefined : NOT_LOOKED_AT,
  )
}

const NOT_LOOKED_AT =
  'Nobody looks at its certificate, which is the proxy’s to obtain. PLUMBLINE_ACME_STORE names the store where it can be seen.'

function signInLamp({ sign_in }: Known, record: KnownRecord): Lamp {
  const { rules, proof, proofs, not_provable, quarantine } = sign_in
  const { asks, deployed } = record
  const is_asked = asks.sign_in
  const kept_out = quarantine.get(record.domain_id)
  const name = deployed?.domain ?? record.domain
  const is_provable = deployed?.sign_in === true && !not_provable.has(name)
  return lampOf(
    [
      keptOf(rules, record, is_asked),
      keptOf(proof, record, is_provable),
      kept_out === undefined
        ? null
        : quarantinedPart(
            `It is kept out, since it answered without signing in: ${kept_out.evidence}.`,
            kept_out.since,
          ),
      proofs !== null && is_provable && kept_out === undefined ? proofPart(proofs.get(name)) : null,
    ],
    is_asked ? 'Neither rules nor proofs are set up.' : undefined,
  )
}

function probeLamp({ certificates, sign_in, backendOf, now }: Known, record: KnownRecord): Lamp {
  const { deployed, domain_id } = record
  if (deployed === null) return lampOf([])
  const { domain } = deployed
  return lampOf(
    [
      answeredPart(certificates.wire?.get(domain), sign_in.proofs?.get(domain)),
      backendPart(backendOf(domain_id), now),
    ],
    'Nobody asks it.',
  )
}
