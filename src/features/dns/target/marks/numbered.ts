/**
 * How far our database is, in the marks of a zone: written into those that are written anyway, and read from a listing.
 *
 * The number comes in at the moment of the write and never from `decide`, so that no plan and no drift shows it.
 */
import { rrsetKey } from '../../../../model/network/dns.ts'
import type { WorldStamp } from '../../../../model/world-stamp.ts'
import type { DnsTraits, RrsetChange } from '../../providers/port.ts'
import type { Item } from '../writing/planned-change.ts'
import { marksBy, stampOf, withNumber } from './marker.ts'
import type { ZoneState } from '../zones/zone-state.ts'

/** A string of a TXT (RFC 1035 §3.3.14). */
const MAX_TEXT = 255

/** The same changes, their marks of ours with this number. */
export function numbered(items: readonly Item[], traits: DnsTraits, stamp: WorldStamp): readonly Item[] {
  const most = traits.comment_most ?? 0
  const by_comment = marksBy(traits) === 'comment'
  const withStamp = (change: RrsetChange): RrsetChange => {
    const { type, wanted } = change
    if (wanted === null) return change
    if (type === 'TXT' && !by_comment)
      return {
        ...change,
        wanted: { ...wanted, values: wanted.values.map((text) => withNumber(text, stamp, MAX_TEXT)) },
      }
    if (!by_comment || wanted.comment === null) return change
    return { ...change, wanted: { ...wanted, comment: withNumber(wanted.comment, stamp, most) } }
  }
  return items.map(({ key, payload }) => {
    const prepare = payload.prepare.map(withStamp)
    const changes = payload.changes.map(withStamp).map((change) => afterThese(prepare, change))
    return { key, payload: { ...payload, prepare, changes } }
  })
}

/** The step before has put its comment there. */
function afterThese(prepare: readonly RrsetChange[], change: RrsetChange): RrsetChange {
  const wanted = prepare.find((step) => rrsetKey(step) === rrsetKey(change))?.wanted ?? null
  return change.seen === null || wanted === null
    ? change
    : { ...change, seen: { ...change.seen, comment: wanted.comment } }
}

const STAMPS = new WeakMap<ZoneState['rrsets'], WorldStamp | null>()

/** The highest number in a mark of ours; null for none. Kept, because a listing is asked for as long as it stands. */
export function highestIn({ rrsets, installation_id }: ZoneState): WorldStamp | null {
  const kept = STAMPS.get(rrsets)
  if (kept !== undefined) return kept
  let highest: WorldStamp | null = null
  for (const { name, type, values, comment } of rrsets)
    for (const text of type === 'TXT' && name.startsWith('_plumbline.') ? values : [comment ?? '']) {
      const stamp = stampOf(text, installation_id)
      if (stamp !== null && (highest === null || stamp.number > highest.number)) highest = stamp
    }
  STAMPS.set(rrsets, highest)
  return highest
}
