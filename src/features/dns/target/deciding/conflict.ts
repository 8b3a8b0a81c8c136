/** What at or above a name keeps an address from standing there, or from being seen (RFC 1034 §3.6.2, §4.2.1; RFC 6672). Pure. */
import type { ListedRrset } from '../../../../model/network/dns.ts'
import { listingOf, type ZoneState } from '../zones/zone-state.ts'

export interface Conflict {
  readonly detail: string
  /** The alias in the place of the address, which a person may hand over; null for what is no alias. */
  readonly alias: ListedRrset | null
}

/** Aliases exclude addresses beside them, by the standard or at the providers that know them. */
export const ALIASES = ['CNAME', 'ALIAS', 'ANAME'] as const

export function conflictAt(state: Pick<ZoneState, 'zone' | 'rrsets'>, name: string): Conflict | null {
  const listing = listingOf(state)
  for (const type of ALIASES) {
    const alias = listing.set(name, type)
    if (alias !== null)
      return { detail: `it is a ${type} to ${alias.values.join(', ')}, which Plumbline did not make`, alias }
  }
  for (const above of upTo(name, state.zone)) {
    if (above !== state.zone && listing.has(above, 'NS'))
      return { detail: `${above} is delegated to other name servers in this zone`, alias: null }
    if (above !== name && listing.has(above, 'DNAME'))
      return { detail: `everything below ${above} is redirected by a DNAME`, alias: null }
  }
  return null
}

/** The name and what lies above it, the apex last. */
function* upTo(name: string, zone: string): Generator<string> {
  for (let at = name; at.length > zone.length; at = at.slice(at.indexOf('.') + 1)) yield at
  yield zone
}
