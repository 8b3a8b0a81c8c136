/**
 * Why a set of ours may be taken away. Pure, and the only place that says so: the absence of a record never does.
 */
import type { ReportedByHost } from '../../../../model/domain/address-sources.ts'
import { NO_DOMAIN, type OwnedRrset, type ReportedAddress } from '../../../../model/network/dns.ts'
import type { Leftover, RemovableBecause } from '../../records/leftover.ts'
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
export function leftoversOf(
  owned: readonly OwnedRrset[],
  desired: DnsDesired,
  reports: readonly ReportedAddress[],
): readonly Leftover[] {
  const reported = byHost(reports)
  const live = new Set(desired.wanted.map(({ name }) => name))
  return owned.flatMap((row) => {
    if (row.state === 'releasing') return []
    const because = live.has(row.name)
      ? unclaimedBecause(row, desired, reported)
      : removableBecause(row, desired)
    const { zone, name, type, values, domain_id } = row
    return because === null ? [] : [{ zone, name, type, values, domain_id: domain_id || null, because }]
  })
}

const unclaimedBecause = (...given: Parameters<typeof unclaimedAt>): 'no_address' | null =>
  unclaimedAt(...given) === null ? null : 'no_address'

export const byHost = (reports: readonly ReportedAddress[]): ReportedByHost =>
  new Map(reports.map((report) => [report.host, report]))

/**
 * The live record whose name the set stands at, where it has addresses now, none of them is of the set's family, and none of who
 * report for it ever reported one. Null for any other set: what was once reported of that family may be in force again.
 */
export function unclaimedAt(
  row: OwnedRrset,
  desired: DnsDesired,
  reported: ReportedByHost,
): WantedRow | null {
  const record = indexOf(desired).wanted.get(row.domain_id)
  if (record?.name !== row.name || record.fixed !== null) return null
  const addresses = addressesOf(record, reported)
  if (addresses.length === 0 || addresses.some((address) => typeOf(address) === row.type)) return null
  const family = row.type === 'A' ? 'ipv4' : 'ipv6'
  return record.reported_by.some((host) => (reported.get(host)?.[family] ?? null) !== null) ? null : record
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
  const addresses = addressesOf(row, byHost(reported))
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
