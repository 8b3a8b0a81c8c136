/** What keeps records from being made at all: no zone to put them into, or no address to put into them. Pure. */
import type { ReportedByHost } from '../../../../model/domain/address-sources.ts'
import type { OwnedRrset, ReportedAddress } from '../../../../model/network/dns.ts'
import type { DnsDesired, NamedRow } from '../desire.ts'
import { unclaimedAt } from '../leaving/removable.ts'
import { unclaimedWords } from '../leaving/unclaimed.ts'
import { addressesOf } from './wanted.ts'
import type { ZoneIndex } from '../zones/zone-index.ts'

export interface WarningFacts {
  readonly zone_index: Pick<ZoneIndex, 'zoneFor'>
  readonly reported: readonly ReportedAddress[]
  readonly domain_ids: readonly number[]
  /** The whole ledger. */
  readonly owned: readonly OwnedRrset[]
  /** Accounts that did not show their zones, with the reason: each may have the zone of a name that has none. */
  readonly silent: readonly { readonly account: string; readonly detail: string | null }[]
}

/** One sentence for each live name of these records that gets none, and for what stays at one though nothing asks for it. */
export function warningsOn(
  desired: DnsDesired,
  { zone_index, reported, owned, domain_ids, silent }: WarningFacts,
): readonly string[] {
  const ids = new Set(domain_ids)
  const by_host = new Map(reported.map((report) => [report.host, report]))
  return desired.wanted
    .filter(({ domain_id }) => ids.has(domain_id))
    .flatMap((row) => {
      if (zone_index.zoneFor(row.name) === null) return withoutZone(row.name, silent)
      return addressesOf(row, by_host).length > 0
        ? staying(row, desired, { owned, reported: by_host })
        : [withoutAddress(row.name, owned)]
    })
}

const staying = (
  { name }: NamedRow,
  desired: DnsDesired,
  { owned, reported }: Pick<WarningFacts, 'owned'> & { readonly reported: ReportedByHost },
): readonly string[] =>
  owned
    .filter(
      (set) => set.name === name && set.state !== 'releasing' && unclaimedAt(set, desired, reported) !== null,
    )
    .map((set) => unclaimedWords(set, set.values.join(', ')))

const withoutZone = (name: string, silent: WarningFacts['silent']): readonly string[] =>
  silent.length === 0
    ? [`${name}: no DNS account has a zone for it, so no record is made.`]
    : silent.map((one) => unknownZone(name, one))

function withoutAddress(name: string, owned: readonly OwnedRrset[]): string {
  const standing = owned.filter((set) => set.name === name).flatMap(({ values }) => values)
  const then =
    standing.length === 0
      ? 'no DNS record is made'
      : `nothing is taken away: ${standing.join(', ')} stays published`
  return (
    `${name}: no address is known, so ${then}. ` +
    'Give it a static_ip, let a gateway report one, or set PLUMBLINE_PUBLIC_IP.'
  )
}

const unknownZone = (name: string, { account, detail }: WarningFacts['silent'][number]): string =>
  `${name}: whether the account ${account} has a zone for it is not known, so no record is made yet: ${detail ?? 'it does not answer'}`
