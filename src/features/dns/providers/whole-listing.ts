/** The last check of a listing: every set once, every set in the asked zone. What fails it is no listing at all. */
import { domainToASCII } from 'node:url'
import { type ListedRrset, rrsetItem, rrsetKey } from '../../../model/network/dns.ts'
import { isBelow, normalName } from './domain-name.ts'
import { unusable } from './json-api.ts'
import { RecordFault } from './record-fault.ts'

export interface ListingOf {
  /** How messages call the provider. */
  readonly provider: string
  readonly zone: string
}

export const listingOf = (zone: string): string => `list the records of ${zone}`

/** Without the start of authority, ordered by name and type. Throws `component_unavailable`. */
export function wholeListing({ provider, zone }: ListingOf, sets: readonly ListedRrset[]): ListedRrset[] {
  const seen = new Set<string>()
  for (const set of sets) {
    if (!isBelow(set.name, zone))
      throw unusable(provider, listingOf(zone), `the answer holds ${rrsetItem(set)}, which is another zone's`)
    if (seen.has(rrsetKey(set)))
      throw unusable(provider, listingOf(zone), `the answer holds ${rrsetItem(set)} twice`)
    seen.add(rrsetKey(set))
  }
  return sets
    .filter((set) => set.type !== 'SOA' || set.name !== zone)
    .sort((a, b) => (rrsetKey(a) < rrsetKey(b) ? -1 : 1))
}

/** Runs what reads names and values of an answer; what cannot be read makes the answer unusable. */
export function reading<T>({ provider, zone }: ListingOf, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RecordFault) throw unusable(provider, listingOf(zone), `a record ${error.message}`)
    throw error
  }
}

/** Normal form of an absolute name, with or without its closing dot. Throws RecordFault. */
export const absolute = (name: string): string => normalName(name.endsWith('.') ? name : `${name}.`, '.')

/** Values with what belongs to each, distinct and in the order of the model. */
export function inOrder<T extends { readonly value: string }>(records: readonly T[]): T[] {
  const distinct = new Map<string, T>()
  for (const record of records) if (!distinct.has(record.value)) distinct.set(record.value, record)
  return [...distinct.values()].sort((a, b) => (a.value < b.value ? -1 : 1))
}

// Zones as an API shows them: under the names that records have, each name once.

const BEYOND_ASCII = /[\u0080-\uffff]/

/** In normal form, an internationalised one as records spell it; null for what is no name at all, so that nothing lies in it. */
export function zoneNameOf(shown: string): string | null {
  const name = BEYOND_ASCII.test(shown) ? domainToASCII(shown) : shown
  if (name === '') return null
  try {
    return absolute(name)
  } catch (error) {
    if (error instanceof RecordFault) return null
    throw error
  }
}

/**
 * An account may have a name twice: a zone that is served and one that waits for its delegation or has moved away. That one
 * counts which may be written, then the first.
 */
export function zonesByName<Z extends { readonly name: string }>(
  zones: readonly Z[],
  isWritable: (zone: Z) => boolean,
): ReadonlyMap<string, Z> {
  const found = new Map<string, Z>()
  for (const zone of zones) {
    const name = zoneNameOf(zone.name)
    if (name === null) continue
    const twin = found.get(name)
    if (twin === undefined || (isWritable(zone) && !isWritable(twin))) found.set(name, zone)
  }
  return found
}
