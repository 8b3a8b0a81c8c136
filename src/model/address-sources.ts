/**
 * Which addresses stand for a name outside: its own `static_ip`, else what its gateway reported, else what the hub's did,
 * else the installation's public ones. Pure; what DNS is made to say and what people are shown come from here alike.
 */
import type { ReportedAddress } from './dns.ts'
import type { DomainFields } from './domain.ts'

/** What the installation adds to what a record says. */
export interface AddressSettings {
  /** Canonical addresses, v4 and v6, for names that have no other. */
  readonly public_ip: readonly string[]
  /** The host whose reported addresses stand for every name without its own; null for none. */
  readonly hub_host: string | null
}

export interface AddressSources {
  /** The record's own address; null where the next two decide. */
  readonly fixed: readonly string[] | null
  /** Hosts whose reported addresses stand for it: the first one that has any. */
  readonly reported_by: readonly string[]
  /** When none of them has. */
  readonly fallback: readonly string[]
}

/** Internal and manual records are not ours to publish. */
export const isPublished = ({ service_type }: Pick<DomainFields, 'service_type'>): boolean =>
  service_type !== 'internal' && service_type !== 'manual'

export function addressSources(
  { domain, static_ip, ddns_enabled }: Pick<DomainFields, 'domain' | 'static_ip' | 'ddns_enabled'>,
  { public_ip, hub_host }: AddressSettings,
): AddressSources {
  if (static_ip !== null) return { fixed: [static_ip], reported_by: [], fallback: [] }
  const hosts = [ddns_enabled ? domain : null, hub_host].filter((host) => host !== null)
  return { fixed: null, reported_by: [...new Set(hosts)], fallback: public_ip }
}

export type ReportedByHost = ReadonlyMap<string, Pick<ReportedAddress, 'ipv4' | 'ipv6'>>

export const ADDRESS_SOURCES = ['static_ip', 'reported', 'hub', 'public_ip'] as const

export interface AddressesInForce {
  readonly source: (typeof ADDRESS_SOURCES)[number]
  /** At least one, IPv4 first. */
  readonly addresses: readonly string[]
}

/**
 * The first source that has any address stands for both families: a second one may be another place altogether. Null where
 * none has. @param name the record's own
 */
export function addressesInForce(
  name: string,
  { fixed, reported_by, fallback }: AddressSources,
  reported: ReportedByHost,
): AddressesInForce | null {
  if (fixed !== null) return { source: 'static_ip', addresses: fixed }
  for (const host of reported_by) {
    const { ipv4 = null, ipv6 = null } = reported.get(host) ?? {}
    const addresses = [ipv4, ipv6].filter((address) => address !== null)
    if (addresses.length > 0) return { source: host === name ? 'reported' : 'hub', addresses }
  }
  return fallback.length === 0 ? null : { source: 'public_ip', addresses: fallback }
}
