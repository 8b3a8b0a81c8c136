/**
 * Every set that a zone's target has to do with, and what is true of it: the one judgement that differences, obstacles,
 * explanations and lists for people are made of. Pure.
 */
import { type ListedRrset, type ManagedType, type OwnedRrset, rrsetKey } from '../../model/dns.ts'
import { type Conflict, conflictAt } from './conflict.ts'
import type { DnsDesired } from './desire.ts'
import { sameValues } from './fit.ts'
import { type GoneBecause, goneBecause } from './gone.ts'
import { marksBy } from './marker.ts'
import { markOf, type MarkReading } from './marks.ts'
import { type Holding, holdingOf, type MarkState, type ValueState } from './matrix.ts'
import { type WantedSet, wantedSets } from './wanted.ts'
import { listingOf, type ZoneState } from './zone-state.ts'

export interface Judged {
  readonly name: string
  readonly type: ManagedType
  readonly holding: Holding
  readonly wanted: WantedSet | null
  readonly row: OwnedRrset | null
  readonly listed: ListedRrset | null
  readonly mark: MarkReading
  /** Why it may be taken away; null for what is wanted and for what stays. */
  readonly gone: GoneBecause | null
  /** Only where it is wanted. */
  readonly conflict: Conflict | null
}

/** Ordered by name and type: wanted sets and those of the ledger. */
export function judge(desired: DnsDesired, state: ZoneState): readonly Judged[] {
  const { sets } = wantedSets(desired, state)
  const rows = new Map(state.owned.map((row) => [rrsetKey(row), row]))
  const owned_names = new Set(state.owned.map(({ name }) => name))
  const listing = listingOf(state)
  return [...new Set([...sets.keys(), ...rows.keys()])].sort().map((key) => {
    const wanted = sets.get(key) ?? null
    const row = rows.get(key) ?? null
    const { name, type } = (wanted ?? row)!
    const listed = listing.set(name, type)
    const mark = markOf(state, name, listed)
    const conflict = wanted === null ? null : conflictAt(state, name)
    const holding = holdingOf(
      row?.state ?? 'none',
      markStateFor(state, { mark, row, is_name_owned: owned_names.has(name) }),
      valueStateOf(listed, row),
    )
    const gone = wanted === null && row !== null ? goneBecause(row, desired) : null
    return { name, type, holding, wanted, row, listed, mark, gone, conflict }
  })
}

export function valueStateOf(listed: ListedRrset | null, row: OwnedRrset | null): ValueState {
  if (listed === null) return 'absent'
  return row !== null && sameValues(listed.values, row.values) ? 'as_sent' : 'differs'
}

interface MarkFacts {
  readonly mark: MarkReading
  readonly row: OwnedRrset | null
  /** The ledger holds a set of this name, of whatever type. */
  readonly is_name_owned: boolean
}

/**
 * A TXT is for all sets of its name. Where another set accounts for it, it says nothing of this one; where no mark can
 * stand because the name is too long, the ledger alone decides.
 */
function markStateFor(state: ZoneState, { mark, row, is_name_owned }: MarkFacts): MarkState {
  if (marksBy(state.traits) === 'comment') return mark.state
  if (row === null) return mark.state === 'beside' && is_name_owned ? 'none' : mark.state
  return mark.state === 'none' && mark.unplaceable ? 'beside' : mark.state
}
