/** What to change about a zone, in the order of work, and what keeps us from it. Pure. */
import type { Difference, Obstacle } from '../../engine/target.ts'
import { rrsetItem, rrsetKey } from '../../model/dns.ts'
import { decide } from './decide.ts'
import { type DnsPayload, RANKS } from './deed.ts'
import type { DnsDesired } from './desire.ts'
import type { ZoneState } from './zone-state.ts'

export const dnsKey = (zone: string): string => `dns:${zone}`

export function diffZone(desired: DnsDesired, state: ZoneState): readonly Difference<DnsPayload>[] {
  return decide(desired, state)
    .flatMap(({ judged, deed }) => (deed === null ? [] : [{ judged, deed }]))
    .sort((a, b) => RANKS.indexOf(a.deed.rank) - RANKS.indexOf(b.deed.rank))
    .map(({ judged, deed: { verb, before, after, domain_ids, payload } }) => ({
      key: rrsetKey(judged),
      item: rrsetItem(judged),
      verb,
      before,
      after,
      domain_ids,
      payload,
    }))
}

export function zoneObstacles(desired: DnsDesired, state: ZoneState): readonly Obstacle[] {
  return decide(desired, state).flatMap(({ judged, obstacle }) =>
    obstacle === null
      ? []
      : [
          {
            item: rrsetItem(judged),
            domain_ids: [(judged.wanted?.row ?? judged.row!).domain_id],
            failure: obstacle,
          },
        ],
  )
}
