/** One DNS zone as something that is kept true. */
import type { Blueprint, Target } from '../../engine/target.ts'
import type { IntentRow } from '../../model/intent.ts'
import { applyZone } from './apply.ts'
import { CachedListing, FULL_LIST_EVERY_MS } from './cached-listing.ts'
import type { DnsPayload } from './deed.ts'
import { type DnsDesired, isPublic } from './desire.ts'
import { diffZone, dnsKey, zoneObstacles } from './diff.ts'
import { zoneExcerpt } from './excerpt.ts'
import { explainZone } from './explain.ts'
import { observeZone, placeOf } from './observe.ts'
import type { DnsParts } from './parts.ts'
import type { ZoneState } from './zone-state.ts'

export type DnsTarget = Target<DnsDesired, ZoneState, DnsPayload>

export interface ZoneTargetParts extends DnsParts {
  readonly blueprint: Blueprint<DnsDesired>
  /** Called when the addresses that gateways reported have changed. */
  readonly watch: DnsTarget['watch']
}

export function zoneTarget(zone: string, parts: ZoneTargetParts): DnsTarget {
  const { blueprint, book, watch } = parts
  const listing = new CachedListing(zone, parts.clock)
  return {
    ...blueprint,
    key: dnsKey(zone),
    every_ms: 5 * 60_000,
    full_look_every_ms: FULL_LIST_EVERY_MS,
    deadline_ms: 60_000,
    backoff: { first_ms: 5_000, most_ms: 15 * 60_000 },
    whole: false,
    /** Another account is another place, even for a zone of the same name. */
    get place() {
      return `${book.zoneNamed(zone)?.account ?? ''}/${zone}`
    },
    reads: ['domains', 'addresses'],
    glance: () => null,
    observe: (signal) => observeZone(zone, listing, { parts, signal }),
    diff: diffZone,
    obstacles: zoneObstacles,
    concerns: (row) => concerns(row, zone, parts),
    async apply(differences, _desired, { signal, evidence }) {
      if (differences.length === 0) return []
      // Before and after: neither a listing from before nor one that was made meanwhile tells what stands there then.
      listing.forget()
      try {
        return await applyZone(differences, { parts, place: placeOf(parts, zone), signal, evidence })
      } finally {
        listing.forget()
      }
    },
    explain: explainZone,
    excerpt: zoneExcerpt(zone),
    watch,
  }
}

const concerns = ({ domain_id, fields }: IntentRow, zone: string, { book }: DnsParts): boolean =>
  book.ownsFor(zone, domain_id) || (isPublic(fields) && book.zoneFor(fields.domain)?.name === zone)
