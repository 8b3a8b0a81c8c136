/**
 * Which addresses stand for a name outside: its own `static_ip`, else what its gateway reported, else what the hub's did,
 * else the installation's public ones. Pure; what DNS is made to say and what people are shown come from here alike.
 */
import type { ReportedAddress } from '../network/dns.ts'
import type { DomainFields } from './record.ts'

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
  /** What stands for the record's own report as long as there is none. */
  readonly carried?: CarriedOver
}

/** What a name was published with before its gateway was to report under it: its fixed address, or its report under another name. */
export type CarriedOver = { readonly address: string } | { readonly host: string }

/** Internal and manual records are not ours to publish. */
export const isPublished = ({ service_type }: Pick<DomainFields, 'service_type'>): boolean =>
  service_type !== 'internal' && service_type !== 'manual'

type AddressFields = Pick<DomainFields, 'domain' | 'service_type' | 'static_ip' | 'ddns_enabled'>

/** What a release of these fields carries over from those that it takes the place of; null for nothing. */
export function carriedOver(
  { domain, static_ip, ddns_enabled, ...fields }: AddressFields,
  old: AddressFields,
): CarriedOver | null {
  if (!ddns_enabled || static_ip !== null || !isPublished(fields) || !isPublished(old)) return null
  if (old.static_ip !== null) return { address: old.static_ip }
  return old.ddns_enabled && old.domain !== domain ? { host: old.domain } : null
}

export function addressSources(
  { domain, static_ip, ddns_enabled }: Omit<AddressFields, 'service_type'>,
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
  { fixed, reported_by, fallback, carried }: AddressSources,
  reported: ReportedByHost,
): AddressesInForce | null {
  if (fixed !== null) return { source: 'static_ip', addresses: fixed }
  for (const host of reported_by) {
    const own = host === name
    const found = reportedFor(reported, host)
    const addresses = found.length === 0 && own ? carriedAddresses(carried, reported) : found
    if (addresses.length > 0) return { source: own ? 'reported' : 'hub', addresses }
  }
  return fallback.length === 0 ? null : { source: 'public_ip', addresses: fallback }
}

export function carriedAddresses(
  carried: CarriedOver | undefined,
  reported: ReportedByHost,
): readonly string[] {
  if (carried === undefined) return []
  return 'address' in carried ? [carried.address] : reportedFor(reported, carried.host)
}

function reportedFor(reported: ReportedByHost, host: string): readonly string[] {
  const { ipv4 = null, ipv6 = null } = reported.get(host) ?? {}
  return [ipv4, ipv6].filter((address) => address !== null)
}
