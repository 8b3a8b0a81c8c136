/** What kinds of zones PowerDNS has, and what may be done with each. */
import type { DnsZone } from '../../../../model/network/dns.ts'
import { absolute } from '../whole-listing.ts'
import type { ZoneHead } from './wire.ts'

/** Why a zone of this kind is not written, by the kind in lower case; null for those that are. */
const WHY_NOT: ReadonlyMap<string, string | null> = new Map([
  ['native', null],
  ['master', null],
  ['primary', null],
  ['slave', 'the zone is a copy of one elsewhere'],
  ['secondary', 'the zone is a copy of one elsewhere'],
  ['producer', 'the zone is a catalog, which the server writes itself'],
  ['consumer', 'the zone is a copy of a catalog elsewhere'],
])

/** Null for a zone that may be written. A kind that is not known may not. */
export function whyNotWritable(kind: string): string | null {
  const why = WHY_NOT.get(kind.toLowerCase())
  if (why === undefined) return `the zone is of no known kind (${kind})`
  return why === null ? null : `${why} (${kind})`
}

/** Throws RecordFault for a name that is none. */
export function dnsZone(account: string, { name, kind }: Pick<ZoneHead, 'name' | 'kind'>): DnsZone {
  const detail = whyNotWritable(kind)
  return { name: absolute(name), account, writable: detail === null, detail }
}

/** The server's id of a zone: its name with a closing dot, and `=2F` for what would divide a path. */
export const zoneId = (zone: string): string =>
  `${zone}.`.replaceAll(
    /[^A-Za-z0-9.-]/g,
    (char) => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/** Raise the serial by at least one with every change. EPOCH does not within a second, SOA-EDIT not within a week. */
const RAISING = ['default', 'increase', 'soa-edit-increase']

/**
 * The serial where it tells of every change through the API, else null. A copy has its serial from its primary. Who changes
 * records past the API, with `pdnsutil` or in the database, must raise the serial too.
 */
export function stampOf({ kind, serial, soa_edit_api }: ZoneHead): string | null {
  const is_known = whyNotWritable(kind) !== null || RAISING.includes((soa_edit_api ?? '').toLowerCase())
  return is_known ? String(serial) : null
}
