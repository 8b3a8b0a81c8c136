/** The sets that a zone should hold, from the released records and the addresses that are known right now. Pure. */
import { addressesInForce, type ReportedByHost } from '../../../../model/domain/address-sources.ts'
import { type ManagedType, rrsetKey } from '../../../../model/network/dns.ts'
import type { DnsDesired, WantedRow } from '../desire.ts'
import { typeOf } from '../marks/marker.ts'
import { holdsName, type ZoneState } from '../zones/zone-state.ts'

export interface WantedSet {
  readonly name: string
  readonly type: ManagedType
  readonly values: readonly string[]
  readonly row: WantedRow
}

export interface Wanted {
  /** By `rrsetKey`. */
  readonly sets: ReadonlyMap<string, WantedSet>
  /** Names that nobody knows an address for: not created, and not taken away. */
  readonly unaddressed: readonly WantedRow[]
}

export function wantedSets(
  desired: DnsDesired,
  state: Pick<ZoneState, 'zone' | 'deeper' | 'reported'>,
): Wanted {
  const reported = new Map(state.reported.map((report) => [report.host, report]))
  const sets = new Map<string, WantedSet>()
  const unaddressed: WantedRow[] = []
  for (const row of desired.wanted) {
    if (!holdsName(state, row.name)) continue
    const addresses = addressesOf(row, reported)
    if (addresses.length === 0) unaddressed.push(row)
    for (const set of setsOf(row, addresses)) sets.set(rrsetKey(set), set)
  }
  return { sets, unaddressed }
}

export const addressesOf = (row: WantedRow, reported: ReportedByHost): readonly string[] =>
  addressesInForce(row.name, row, reported)?.addresses ?? []

function setsOf(row: WantedRow, addresses: readonly string[]): WantedSet[] {
  return (['A', 'AAAA'] as const).flatMap((type) => {
    const values = addresses.filter((address) => typeOf(address) === type)
    return values.length === 0 ? [] : [{ name: row.name, type, values, row }]
  })
}
