/** What to change about a zone, in the order of work, and what keeps us from it. Pure. */
import type { Difference, Obstacle } from '../../../engine/target.ts'
import { rrsetItem, rrsetKey } from '../../../model/network/dns.ts'
import { decide } from './deciding/decide.ts'
import { type DnsPayload, isNote, RANKS } from './writing/planned-change.ts'
import type { DnsDesired } from './desire.ts'
import { elsewhereIn } from './leaving/elsewhere.ts'
import { sidewaysIn } from './writing/sideways.ts'
import type { ZoneState } from './zones/zone-state.ts'

export const dnsKey = (zone: string): string => `dns:${zone}`

export function diffZone(desired: DnsDesired, state: ZoneState): readonly Difference<DnsPayload>[] {
  return decide(desired, state)
    .flatMap(({ evaluated, planned }) => (planned === null ? [] : [{ evaluated, planned }]))
    .sort((a, b) => RANKS.indexOf(a.planned.rank) - RANKS.indexOf(b.planned.rank))
    .map(({ evaluated, planned: { verb, before, after, domain_ids, payload } }) => ({
      key: rrsetKey(evaluated),
      item: rrsetItem(evaluated),
      verb,
      before,
      after,
      domain_ids,
      ...(isNote(payload) && { is_note: true as const }),
      ...(payload.makes_zone && { makes: `zone ${payload.row.zone}` }),
      payload,
    }))
}

export function zoneObstacles(desired: DnsDesired, state: ZoneState): readonly Obstacle[] {
  const of_sets = decide(desired, state).flatMap(({ evaluated, obstacle: failure }) => {
    if (failure === null) return []
    const { wanted, row, beside } = evaluated
    const of = wanted?.row ?? row ?? beside
    const obstacle = { item: rrsetItem(evaluated), domain_ids: of === null ? [] : [of.domain_id], failure }
    return [wanted === null && (row === null || beside !== null) ? { ...obstacle, beside: true } : obstacle]
  })
  const aside = sidewaysIn(desired, state).map(({ item, domain_id, detail: message }): Obstacle => {
    const failure = { code: 'foreign_owner', message, retry_after_ms: 0 } as const
    return { item, domain_ids: [domain_id], beside: true, failure }
  })
  const elsewhere = elsewhereIn(state).map(({ item, domain_ids, detail: message }): Obstacle => {
    const failure = { code: 'conflict', message, retry_after_ms: 0 } as const
    return { item, domain_ids, beside: true, failure }
  })
  return [...placeObstacle(state), ...of_sets, ...aside, ...elsewhere]
}

function placeObstacle({ place_fault }: ZoneState): readonly Obstacle[] {
  if (place_fault === undefined) return []
  const { item, detail: message } = place_fault
  return [{ item, domain_ids: [], beside: true, failure: { code: 'conflict', message, retry_after_ms: 0 } }]
}
