/** What operations know of DNS: the accounts, their zones, and a look at what stands there. */
import type { ChallengeRecord } from './challenges/port.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { AddressSettings } from '../../model/domain/address-sources.ts'
import type { OwnedRrset, ReportedAddress } from '../../model/network/dns.ts'
import type { Leftover } from './records/leftover.ts'
import type { Intent } from '../../model/intent.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { DnsProvider } from './providers/port.ts'
import type { ZoneDiscovery } from './zones/zone-discovery.ts'
import type { DnsRecordView, OtherRecord } from './views.ts'

/** What gateways have reported, as a transaction or the store has it. */
export type ReadReportedAddresses = (store: Pick<StoreReader, 'of'>) => Promise<readonly ReportedAddress[]>

export interface DnsService {
  /** What stands for a name that has no address of its own. */
  readonly addresses: AddressSettings
  readonly reportedAddresses: ReadReportedAddresses
  readonly providers: readonly DnsProvider[]
  readonly discovery: ZoneDiscovery
  /** Accounts with zone files that no name server is known to load: what they hold is looked for nowhere. */
  readonly unserved: ReadonlySet<string>
  /** Accounts whose name servers answer the whole internet. */
  readonly hosted: ReadonlySet<string>
  /** The account with the zone that holds a name, or that would make it; null where none does. */
  readonly accountFor: (name: string) => string | null
  /** The zone that holds a name, or that would be made for it; null where no account has one. */
  readonly zoneFor: (name: string) => string | null
  /** Whether an account has shown a zone that holds a name. */
  readonly isShown: (name: string) => boolean
  /** Names what an edition asks of DNS: equal texts ask for the same. */
  readonly wishOf: (intent: Intent) => string
  /** Live names that lie in no zone of any account. */
  readonly withoutZone: (intent: Intent) => readonly string[]
  /** What keeps these records of an edition from getting a DNS record at all. */
  readonly warnings: (
    intent: Intent,
    facts: {
      readonly domain_ids: readonly number[]
      readonly reported: readonly ReportedAddress[]
      readonly owned: readonly OwnedRrset[]
    },
  ) => readonly string[]
  /** Sets of ours that nothing of this intent asks for any more. */
  readonly leftovers: (intent: Intent, facts: LeftoverFacts) => readonly Leftover[]
  /** Zones that have something to do with this intent, in their order. */
  readonly zonesFor: (intent: Intent) => readonly string[]
  /** Sets of ours in whose place somebody else's stand, as the last pass found: `A www.example.com`. */
  readonly strangers: () => ReadonlySet<string>
  /** TXT records that we may have put somewhere for an order that is under way. */
  readonly challenges: () => Promise<readonly ChallengeRecord[]>
  /** What the engine calls the zone. */
  readonly keyOf: (zone: string) => string
  /** One fresh look at a zone, compared with this intent. */
  readonly look: (zone: string, intent: Intent, signal: AbortSignal) => Promise<ZoneLook>
}

export interface LeftoverFacts {
  readonly owned: readonly OwnedRrset[]
  readonly reported: readonly ReportedAddress[]
}

export type ZoneLook =
  | {
      readonly known: true
      readonly records: readonly DnsRecordView[]
      readonly ids: RecordIds
      /** What no record has to do with. @param names of all saved records */
      readonly others: (
        names: ReadonlySet<string>,
        challenges: readonly ChallengeRecord[],
      ) => readonly OtherRecord[]
      /** What the engine calls the zone, and what was seen of it, for its judgement. */
      readonly key: string
      readonly state: unknown
    }
  | { readonly known: false; readonly key: string; readonly detail: string }

/** The provider's ids of what stands at a name, where it has them. */
export type RecordIds = (name: string, type: string) => readonly string[]

/** How long a look for people may take. */
export const MAX_LOOK_MS: Milliseconds = 5000

/** Whether there is anything to ask name servers about. */
export const hasServed = ({ providers, unserved }: Pick<DnsService, 'providers' | 'unserved'>): boolean =>
  providers.some(({ account }) => !unserved.has(account))

export const UNSERVED =
  'no name server is known to load the zone files. Name the one that does in PLUMBLINE_DNS_AUTHORITATIVE'
