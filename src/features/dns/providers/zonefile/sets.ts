/** The record sets of a zone file, as the port shows them. */
import { rrsetKey, type ListedRrset } from '../../../../model/network/dns.ts'
import { commentOf } from '../set-comment.ts'
import type { ParsedZone, ZoneRecord } from './parse.ts'

/** By `rrsetKey`, in the order of the file, the SOA's included. */
export function setsOf(records: readonly ZoneRecord[]): Map<string, ZoneRecord[]> {
  const sets = new Map<string, ZoneRecord[]>()
  for (const record of records) {
    const key = rrsetKey(record)
    const set = sets.get(key)
    if (set === undefined) sets.set(key, [record])
    else set.push(record)
  }
  return sets
}

/**
 * Every set but the SOA. Of differing TTLs the lowest is shown (RFC 2181 §5.2: they should not differ), of differing
 * comments the first, but for marks (`commentOf`).
 */
export function listedSets({ records }: Pick<ParsedZone, 'records'>): ListedRrset[] {
  return [...setsOf(records).values()].filter(([first]) => first!.type !== 'SOA').map(listed)
}

const listed = (set: readonly ZoneRecord[]): ListedRrset => ({
  name: set[0]!.name,
  type: set[0]!.type,
  ttl: set.reduce((least, { ttl }) => Math.min(least, ttl), Infinity),
  values: [...new Set(set.map((record) => record.value))].sort(),
  ids: [],
  comment: commentOf(set.map(({ comment }) => comment)),
  proxied: null,
})
