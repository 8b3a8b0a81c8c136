/**
 * Why a set of ours may be taken away. Pure, and the only place that says so: the absence of a record never does.
 */
import { NO_DOMAIN, type OwnedRrset } from '../../../../model/network/dns.ts'
import type { LeftBecause, Leftover, RemovableBecause } from '../../records/leftover.ts'
import type { DnsDesired, WantedRow } from '../desire.ts'
import { typeOf } from '../marks/marker.ts'
import { addressesOf } from '../deciding/wanted.ts'
import type { ZoneState } from '../zones/zone-state.ts'

interface Index {
  readonly names: ReadonlyMap<number, string>
  readonly retired: ReadonlySet<number>
  readonly unpublished: ReadonlySet<number>
  readonly wanted: ReadonlyMap<number, WantedRow>
}

/** Sets of ours that nothing asks for, and that are still kept as ours: their removal is due, or did not get through yet. */
export function leftoversOf(owned: readonly OwnedRrset[], desired: DnsDesired): readonly Leftover[] {
  const live = new Set(desired.wanted.map(({ name }) => name))
  return owned.flatMap((row) => {
    const because = leftBecause(row, desired, live.has(row.name))
    const { zone, name, type, values, domain_id } = row
    return because === null ? [] : [{ zone, name, type, values, domain_id: domain_id || null, because }]
  })
}

function leftBecause(row: OwnedRrset, desired: DnsDesired, is_live: boolean): LeftBecause | null {
  if (row.state === 'releasing') return null
  if (is_live) return unclaimedAt(row, desired) === null ? null : 'no_address'
  return removableBecause(row, desired)
}

/**
 * The live record whose name the set stands at, where none of its addresses is of the set's family and nobody could report
 * one. Null for any other set: a gateway that is silent may speak of that family again.
 */
export function unclaimedAt(row: OwnedRrset, desired: DnsDesired): WantedRow | null {
  const record = indexOf(desired).wanted.get(row.domain_id)
  if (record?.name !== row.name || record.fixed !== null || record.reported_by.length > 0) return null
  const { fallback } = record
  return fallback.length === 0 || fallback.some((address) => typeOf(address) === row.type) ? null : record
}

/** Null for a set that stays. Ask only for sets that nobody wants. */
export function removableBecause(row: OwnedRrset, desired: DnsDesired): RemovableBecause | null {
  if (row.domain_id === NO_DOMAIN) return 'asked'
  const { names, retired, unpublished, wanted } = indexOf(desired)
  const name = names.get(row.domain_id)
  if (retired.has(row.domain_id)) return 'retired'
  // It was adopted for what is saved and not deployed yet.
  if (row.state === 'adopted') return null
  if (unpublished.has(row.domain_id)) return 'unpublished'
  if (name === undefined) return null
  if (name !== row.name) return 'renamed'
  const fixed = wanted.get(row.domain_id)?.fixed ?? null
  return fixed === null || fixed.some((address) => typeOf(address) === row.type) ? null : 'other_family'
}

/** The live name of a record that was renamed; null for one that is not live, or that nobody knows an address for. */
export function successorOf(
  { domain_id }: OwnedRrset,
  desired: DnsDesired,
  { reported }: Pick<ZoneState, 'reported'>,
): string | null {
  const row = indexOf(desired).wanted.get(domain_id)
  if (row === undefined) return null
  const addresses = addressesOf(row, new Map(reported.map((report) => [report.host, report])))
  return addresses.length === 0 ? null : row.name
}

const INDEXES = new WeakMap<DnsDesired, Index>()

function indexOf(desired: DnsDesired): Index {
  const kept = INDEXES.get(desired)
  if (kept !== undefined) return kept
  const index: Index = {
    names: new Map([...desired.kept, ...desired.wanted].map(({ domain_id, name }) => [domain_id, name])),
    retired: new Set(desired.retired.map(({ domain_id }) => domain_id)),
    unpublished: new Set(desired.unpublished.map(({ domain_id }) => domain_id)),
    wanted: new Map(desired.wanted.map((row) => [row.domain_id, row])),
  }
  INDEXES.set(desired, index)
  return index
}
