/** What the targets of zones are built of. */
import type { Blueprint, Target } from '../../../engine/target.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { WorldStamp } from '../../../model/world-stamp.ts'
import type { ReportedAddress } from '../../../model/network/dns.ts'
import type { DnsProvider } from '../providers/port.ts'
import type { ReadReportedAddresses } from '../service.ts'
import type { DnsDesired } from './desire.ts'
import type { StillServed } from './leaving/still-served.ts'
import type { DnsPayload } from './writing/planned-change.ts'
import type { ServedRecords } from './served-records.ts'
import type { ReaderOf, WriterOf } from '../../../ports/record-set.ts'
import type { Store } from '../../../ports/store.ts'
import { dnsRecords } from '../records.ts'
import type { DnsSettings } from './settings.ts'
import type { ZoneIndex } from './zones/zone-index.ts'
import type { ZoneLock } from './zones/zone-lock.ts'
import type { ZoneState } from './zones/zone-state.ts'

export type DnsTarget = Target<DnsDesired, ZoneState, DnsPayload>

/** The part of the store that DNS needs; `write` is one transaction, as in the store's own contract. */
export interface DnsLedger extends Pick<ReaderOf<typeof dnsRecords>, 'ownedRrsets'> {
  reportedAddresses(): Promise<readonly ReportedAddress[]>
  write<T>(
    work: (
      tx: Pick<WriterOf<typeof dnsRecords>, 'ownedRrsets' | 'saveOwnedRrsets' | 'dropOwnedRrsets'>,
    ) => Promise<T>,
  ): Promise<T>
}

export const dnsLedger = (
  store: Pick<Store, 'of' | 'write'>,
  reported: ReadReportedAddresses,
): DnsLedger => ({
  ownedRrsets: store.of(dnsRecords).ownedRrsets,
  reportedAddresses: () => reported(store),
  write: (work) => store.write((tx) => work(tx.of(dnsRecords))),
})

/** What the targets of all zones share. */
export interface DnsParts {
  /** One for each account. */
  readonly providers: readonly DnsProvider[]
  readonly settings: DnsSettings
  readonly store: DnsLedger
  readonly installation_id: string
  /** The servers of the zones, where they are named; null where nobody can be asked beside the provider. */
  readonly served?: ServedRecords | null
  /** How far the database is, of what is committed. */
  readonly worldStamp: () => Promise<WorldStamp>
  /** No name is taken away at which the proxy still answers. Left out: nobody knows of routes. */
  readonly stillServed?: StillServed | undefined
  readonly zone_index: ZoneIndex
  /** Asks all accounts once more for their zones. Left out: nobody can be asked. */
  readonly askAccounts?: (() => Promise<void>) | undefined
  /** Shared with everybody who writes to these zones. */
  readonly lock: ZoneLock
  readonly clock: Clock
  readonly log: Log
}

/** Beside that, what one zone's target has of its own. */
export interface ZoneTargetParts extends DnsParts {
  readonly blueprint: Blueprint<DnsDesired>
  /** Called when the addresses that gateways reported have changed. */
  readonly watch: DnsTarget['watch']
}
