/**
 * Address sets that neither a wish nor the ledger accounts for, and that people should know of. Nothing is ever written for
 * them. Pure.
 *
 *   it bears our mark                      orphan: its record was lost, or its removal was
 *   another's, at a live name of ours      clients that prefer its family are served by another machine
 */
import {
  type ListedRrset,
  type ManagedType,
  type OwnedRrset,
  rrsetKey,
} from '../../../../model/network/dns.ts'
import type { WantedRow } from '../desire.ts'
import type { Wanted } from '../deciding/wanted.ts'
import { holdsName, type ZoneState } from '../zones/zone-state.ts'

export interface Unaccounted {
  readonly listed: ListedRrset & { readonly type: ManagedType }
  /** The live record at whose name it stands, where sets of ours stand there, too. */
  readonly beside: WantedRow | null
}

/** Candidates: whose each of them is, the mark tells. */
export function unaccountedIn(
  { sets, unaddressed }: Wanted,
  rows: ReadonlyMap<string, OwnedRrset>,
  state: ZoneState,
): readonly Unaccounted[] {
  const owned = new Set([...rows.values()].map(({ name }) => name))
  const live = new Map([
    ...unaddressed.filter(({ name }) => owned.has(name)).map((row) => [row.name, row] as const),
    ...[...sets.values()].map(({ name, row }) => [name, row] as const),
  ])
  return state.rrsets.flatMap((listed) => {
    const key = rrsetKey(listed)
    if (!isAddress(listed) || sets.has(key) || rows.has(key) || !holdsName(state, listed.name)) return []
    return [{ listed, beside: live.get(listed.name) ?? null }]
  })
}

const isAddress = (set: ListedRrset): set is Unaccounted['listed'] => set.type === 'A' || set.type === 'AAAA'
