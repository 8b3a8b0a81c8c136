/** Pure: deSEC's sets and ours. Its names are split at the domain, its values in presentation format. */
import type { ListedRrset } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../port.ts'
import type { CheckedChange } from '../checked-change.ts'
import { fromPresented } from '../presented.ts'
import { fileWords } from '../rdata.ts'
import { absolute, inOrder } from '../whole-listing.ts'
import type { RrsetBody, WireRrset } from './wire.ts'

/** Throws RecordFault for a name or value that makes no sense. */
export function listedSet({ domain, subname, type, ttl, records }: WireRrset): ListedRrset {
  const ordered = inOrder(records.map((record) => ({ value: fromPresented(type, record) })))
  return {
    name: absolute(subname === '' ? domain : `${subname}.${domain}`),
    type,
    ttl,
    values: ordered.map(({ value }) => value),
    ids: [],
    comment: null,
    proxied: null,
  }
}

/** What is sent for a change; null when there is nothing to do. */
export function bodyOf(
  zone: string,
  { name, type, wanted }: CheckedChange,
  { seen }: RrsetChange,
): RrsetBody | null {
  const set = { subname: subnameOf(zone, name), type }
  if (wanted === null) return seen === null ? null : { ...set, records: [] }
  const records = wanted.data.map((data) => fileWords(type, data))
  const there = seen?.values ?? []
  const same =
    seen?.ttl === wanted.ttl &&
    there.length === records.length &&
    records.every((record) => there.includes(fromPresented(type, record)))
  return same ? null : { ...set, ttl: wanted.ttl, records }
}

export const subnameOf = (zone: string, name: string): string =>
  name === zone ? '' : name.slice(0, -zone.length - 1)
