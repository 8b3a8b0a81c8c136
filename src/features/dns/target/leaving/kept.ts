/** What of ours stands at the provider for a record that asks for nothing now and tells nothing to go. Pure. */
import { rrsetItem } from '../../../../model/network/dns.ts'
import { decide } from '../deciding/decide.ts'
import type { DnsDesired } from '../desire.ts'
import { setText } from '../marks/set-text.ts'
import type { ZoneState } from '../zones/zone-state.ts'
import type { Ownership } from '../deciding/ownership.ts'

const OURS: ReadonlySet<Ownership> = new Set(['owned', 'applying', 'unmarked'])

export const keptIn = (desired: DnsDesired, state: ZoneState, domain_id: number): readonly string[] =>
  decide(desired, state).flatMap(({ evaluated }) => {
    const { row, wanted, removable_because, listed, ownership } = evaluated
    const is_kept =
      row?.domain_id === domain_id && wanted === null && removable_because === null && OURS.has(ownership)
    return is_kept && listed !== null ? [`${rrsetItem(evaluated)} (${setText(listed)})`] : []
  })
