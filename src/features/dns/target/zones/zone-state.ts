/** One look at a zone: what stands there, and what we know of it. The observed state of the DNS targets. */
import {
  isInZone,
  type ListedRrset,
  type OwnedRrset,
  type ReportedAddress,
  rrsetKey,
} from '../../../../model/network/dns.ts'
import type { DnsTraits, PlaceFault } from '../../providers/port.ts'
import type { UnacceptedSets } from './unaccepted.ts'

export interface OwnedElsewhere extends OwnedRrset {
  /** Its account is, so the zone there is another place than this one. */
  readonly is_set_up: boolean
}

export interface ZoneState {
  readonly zone: string
  readonly account: string
  readonly traits: DnsTraits
  readonly installation_id: string
  /** Why the zone may not be written, else null. */
  readonly read_only: string | null
  /** True where the provider makes the zone on first use, and did not yet. */
  readonly missing: boolean
  /** Every set of the zone. */
  readonly rrsets: readonly ListedRrset[]
  /** The ledger of this zone and account. */
  readonly owned: readonly OwnedRrset[]
  /** That of a zone of this name at other accounts; left out for none. */
  readonly elsewhere?: readonly OwnedElsewhere[]
  readonly reported: readonly ReportedAddress[]
  /** What is wrong with the place of the zone, whatever stands in it. */
  readonly place_fault?: PlaceFault
  /** By `rrsetKey`. */
  readonly unaccepted?: UnacceptedSets
  /** Zones that lie below this one: their names are not ours here. */
  readonly deeper: readonly string[]
}

/** True when a name is this zone's own and not a deeper one's. */
export const holdsName = ({ zone, deeper }: Pick<ZoneState, 'zone' | 'deeper'>, name: string): boolean =>
  isInZone(name, zone) && !deeper.some((below) => isInZone(name, below))

/** Finds sets by name and type. Built once for each look. */
export interface Listing {
  set(name: string, type: string): ListedRrset | null
  has(name: string, type: string): boolean
}

const LISTINGS = new WeakMap<readonly ListedRrset[], Listing>()

export function listingOf({ rrsets }: Pick<ZoneState, 'rrsets'>): Listing {
  const kept = LISTINGS.get(rrsets)
  if (kept !== undefined) return kept
  const sets = new Map(rrsets.map((set) => [rrsetKey(set), set]))
  const listing: Listing = {
    set: (name, type) => sets.get(rrsetKey({ name, type })) ?? null,
    has: (name, type) => sets.has(rrsetKey({ name, type })),
  }
  LISTINGS.set(rrsets, listing)
  return listing
}
