/** What of ours stands at the provider for a record that asks for nothing now and tells nothing to go. Pure. */
import { rrsetItem } from '../../../../model/network/dns.ts'
import { decide } from '../deciding/decide.ts'
import type { DnsDesired } from '../desire.ts'
import { setText } from '../marks/set-text.ts'
import type { ZoneState } from '../zones/zone-state.ts'
import type { Holding } from '../deciding/matrix.ts'

const OURS: ReadonlySet<Holding> = new Set(['owned', 'applying', 'unmarked'])

export const keptIn = (desired: DnsDesired, state: ZoneState, domain_id: number): readonly string[] =>
  decide(desired, state).flatMap(({ judged }) => {
    const { row, wanted, gone, listed, holding } = judged
    const is_kept = row?.domain_id === domain_id && wanted === null && gone === null && OURS.has(holding)
    return is_kept && listed !== null ? [`${rrsetItem(judged)} (${setText(listed)})`] : []
  })
