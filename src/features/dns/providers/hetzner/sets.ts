/** Pure: Hetzner's sets and ours. Its names are relative to the zone, its values in presentation format. */
import type { ListedRrset } from '../../../../model/network/dns.ts'
import type { RrsetChange } from '../port.ts'
import { fromPresented, presented } from '../presented.ts'
import { commentOf, fittedComment } from '../set-comment.ts'
import { clampedTtl } from '../ttl.ts'
import { absolute, inOrder } from '../whole-listing.ts'
import { TRAITS } from './traits.ts'
import type { WireRrset } from './wire.ts'

export type Wanted = NonNullable<RrsetChange['wanted']>

/** Throws RecordFault for a name or value that makes no sense. */
export function listedSet(zone: string, { name, type, ttl, records }: WireRrset): ListedRrset {
  const ordered = inOrder(records.map((record) => ({ ...record, value: fromPresented(type, record.value) })))
  return {
    name: name === '@' ? zone : absolute(`${name}.${zone}`),
    type,
    ttl,
    values: ordered.map(({ value }) => value),
    ids: [],
    comment: commentOf(ordered.map(({ comment }) => comment)),
    proxied: null,
  }
}

/** `rrsets/www/A` below the zone. */
export const setPath = (zone: string, { name, type }: Pick<RrsetChange, 'name' | 'type'>): string =>
  `/rrsets/${encodeURIComponent(relative(name, zone))}/${encodeURIComponent(type)}`

export const relative = (name: string, zone: string): string =>
  name === zone ? '@' : name.slice(0, -zone.length - 1)

/** Throws RecordFault for a value that makes no sense. */
export const recordsOf = (type: string, { values, comment }: Wanted) =>
  values.map((value) => {
    const text = shortened(comment)
    return { value: presented(type, value), ...(text === '' ? {} : { comment: text }) }
  })

export const ttlOf = ({ ttl }: Wanted): number | null => (ttl === null ? null : clampedTtl(ttl, TRAITS.ttl))

const shortened = (comment: string | null): string => fittedComment(comment, TRAITS.comment_most)

/** True when values and comment stand there as wanted; the TTL is changed by a call of its own. */
export const sameRecords = (seen: ListedRrset, wanted: Wanted): boolean =>
  (seen.comment ?? '') === shortened(wanted.comment) &&
  seen.values.length === wanted.values.length &&
  wanted.values.every((value) => seen.values.includes(value))
