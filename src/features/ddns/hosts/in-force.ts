/** Whether what is reported for a name is published, and what is published instead. Pure. */
import {
  addressesInForce,
  type AddressesInForce,
  type AddressSettings,
  addressSources,
  isPublished,
  type ReportedByHost,
} from '../../../model/domain/address-sources.ts'
import { type ManagedType, rrsetItem } from '../../../model/network/dns.ts'
import type { HostRows } from './known-hosts.ts'

export const NOT_IN_FORCE = [
  /** Neither what is saved nor what is deployed asks for dynamic DNS. */
  'ddns_disabled',
  'static_ip',
  'internal',
  'manual',
  'inactive',
  'not_deployed',
  /** Somebody else's record stands at the name. */
  'foreign_owner',
  'no_record',
] as const
export type NotInForce = (typeof NOT_IN_FORCE)[number]

/** Null where a report counts. What is deployed decides; where nothing is, what is saved. */
export function notInForce({ working, released }: HostRows, is_hub: boolean): NotInForce | null {
  if (is_hub) return null
  const row = released?.live === true ? released : (working ?? released)
  if (row === null) return 'no_record'
  if (![working, released].some((one) => one?.fields.ddns_enabled === true)) return 'ddns_disabled'
  const { service_type, static_ip, ddns_enabled } = row.fields
  if (service_type === 'internal' || service_type === 'manual') return service_type
  if (static_ip !== null) return 'static_ip'
  if (row !== released || !row.live) return row.live ? 'not_deployed' : 'inactive'
  return ddns_enabled ? null : 'not_deployed'
}

/** What is reported for a name at which somebody else's record stands is kept, and published when the name is ours. */
export const strangerAt = (
  { strangers }: { readonly strangers: () => ReadonlySet<string> },
  name: string,
  types: readonly ManagedType[],
): NotInForce | null => {
  const found = strangers()
  return types.some((type) => found.has(rrsetItem({ name, type }))) ? 'foreign_owner' : null
}

/** The addresses that count for a name now; null while nothing is published for it. */
export function addressesThatCount(
  host: string,
  { released }: Pick<HostRows, 'released'>,
  { settings, reported }: { readonly settings: AddressSettings; readonly reported: ReportedByHost },
): AddressesInForce | null {
  // The hub's own report stands for others whatever its record says, and without one.
  const hub = { fixed: null, reported_by: [host], fallback: [] }
  if (released === null) return host === settings.hub_host ? addressesInForce(host, hub, reported) : null
  if (!released.live || !isPublished(released.fields)) return null
  return addressesInForce(host, addressSources(released.fields, settings), reported)
}
