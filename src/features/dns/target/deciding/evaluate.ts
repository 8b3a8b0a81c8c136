/**
 * Every set that a zone's target has to do with, and what is true of it: the one judgement that differences, obstacles,
 * explanations and lists for people are made of. Pure.
 */
import {
  type ListedRrset,
  type ManagedType,
  NO_DOMAIN,
  type OwnedRrset,
  rrsetKey,
} from '../../../../model/network/dns.ts'
import type { RemovableBecause } from '../../records/leftover.ts'
import { type Conflict, conflictAt } from './conflict.ts'
import type { DnsDesired, WantedRow } from '../desire.ts'
import { sameValues } from '../writing/fit.ts'
import { byHost, removableBecause, successorOf, unclaimedAt } from '../leaving/removable.ts'
import { markOf, type MarkReading } from '../marks/marks.ts'
import { type Ownership, ownershipOf, type MarkState, type ValueState } from './ownership.ts'
import { type Unaccounted, unaccountedIn } from '../leaving/unaccounted.ts'
import { type WantedSet, wantedSets } from './wanted.ts'
import { listingOf, type ZoneState } from '../zones/zone-state.ts'

export interface EvaluatedSet {
  readonly name: string
  readonly type: ManagedType
  readonly ownership: Ownership
  readonly wanted: WantedSet | null
  readonly row: OwnedRrset | null
  readonly listed: ListedRrset | null
  readonly mark: MarkReading
  /** Why it may be taken away; null for what is wanted and for what stays. */
  readonly removable_because: RemovableBecause | null
  /** The name that its record has now, of a set that may go for that. */
  readonly successor: string | null
  /** Only where it is wanted. */
  readonly conflict: Conflict | null
  /** The live record at whose name it stands, for what is neither wanted nor in the ledger, and for what of ours it has no address for. */
  readonly beside: WantedRow | null
}

/** Ordered by name and type: wanted sets, those of the ledger, and those that nothing accounts for. */
export function evaluate(desired: DnsDesired, state: ZoneState): readonly EvaluatedSet[] {
  const wanted = wantedSets(desired, state)
  const rows = new Map(state.owned.map((row) => [rrsetKey(row), row]))
  // What is to go at a person's word says nothing of another set that our mark stands beside.
  const owned_names = new Set(
    state.owned.filter(({ domain_id }) => domain_id !== NO_DOMAIN).map(({ name }) => name),
  )
  const ours = accounted(desired, state, { sets: wanted.sets, rows, owned_names })
  const others = unaccountedIn(wanted, rows, state).flatMap(
    (found) => unaccounted(found, state, owned_names) ?? [],
  )
  return others.length === 0 ? ours : [...ours, ...others].sort(byKey)
}

/** Null for a stranger's set where none of ours stands. */
function unaccounted(
  { listed, beside }: Unaccounted,
  state: ZoneState,
  owned_names: ReadonlySet<string>,
): EvaluatedSet | null {
  const { name, type } = listed
  const mark = markOf(state, name, listed)
  const facts = { mark, row: null, is_name_owned: owned_names.has(name) }
  const ownership = ownershipOf('none', markStateFor(facts), 'differs')
  if (ownership !== 'orphan' && beside === null && !mark.shared) return null
  return { ...NOT_ASKED_FOR, name, type, ownership, listed, mark, beside }
}

/** Neither by a wish nor by the ledger. */
const NOT_ASKED_FOR = { wanted: null, row: null, removable_because: null, successor: null, conflict: null }

const byKey = (a: EvaluatedSet, b: EvaluatedSet): number => (rrsetKey(a) < rrsetKey(b) ? -1 : 1)

interface Known {
  readonly sets: ReadonlyMap<string, WantedSet>
  readonly rows: ReadonlyMap<string, OwnedRrset>
  readonly owned_names: ReadonlySet<string>
}

function accounted(
  desired: DnsDesired,
  state: ZoneState,
  { sets, rows, owned_names }: Known,
): EvaluatedSet[] {
  const listing = listingOf(state)
  const reported = byHost(state.reported)
  return [...new Set([...sets.keys(), ...rows.keys()])].sort().map((key) => {
    const wanted = sets.get(key) ?? null
    const kept = rows.get(key) ?? null
    // What was adopted for one record is a stranger's to any other.
    const is_others = kept?.state === 'adopted' && wanted !== null && wanted.row.domain_id !== kept.domain_id
    const row = is_others ? null : kept
    const { name, type } = (wanted ?? row)!
    const listed = listing.set(name, type)
    const mark = markOf(state, name, listed)
    const conflict = wanted === null ? null : conflictAt(state, name)
    const ownership = ownershipOf(
      row?.state ?? 'none',
      markStateFor({ mark, row, is_name_owned: owned_names.has(name) }),
      valueStateOf(listed, row, wanted),
    )
    const removable_because = wanted === null && row !== null ? removableBecause(row, desired) : null
    const successor = removable_because === 'renamed' ? successorOf(row!, desired, state) : null
    return {
      name,
      type,
      ownership,
      wanted,
      row,
      listed,
      mark,
      removable_because,
      successor,
      conflict,
      beside:
        wanted === null && row !== null && removable_because === null
          ? unclaimedAt(row, desired, reported)
          : null,
    }
  })
}

export function valueStateOf(
  listed: ListedRrset | null,
  row: OwnedRrset | null,
  wanted: WantedSet | null = null,
): ValueState {
  if (listed === null) return 'absent'
  if (row === null) return 'differs'
  // A crash may have come between the change of an adopted set and our note of it.
  const meant = row.state === 'adopted' && wanted !== null ? [row.values, wanted.values] : [row.values]
  return meant.some((values) => sameValues(listed.values, values)) ? 'as_sent' : 'differs'
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
function markStateFor({ mark, row, is_name_owned }: MarkFacts): MarkState {
  if (row === null) return mark.state === 'beside' && is_name_owned ? 'none' : mark.state
  return mark.unplaceable ? 'beside' : mark.state
}
