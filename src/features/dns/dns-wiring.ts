/** From settings to DNS: an adapter for each account, the family of targets over them, and what operations know of both. */
import { createLookup } from './lookup/create-lookup.ts'
import { systemResolvers } from './lookup/system-resolvers.ts'
import type { Source } from '../../engine/components.ts'
import type { WorldGuard } from '../../engine/world/guard.ts'
import type { Report } from '../../model/report.ts'
import { strangersIn } from './records/strangers.ts'
import type { DnsAccount } from './accounts/dns-account.ts'
import { openedAccounts, silentAmong } from './accounts/accounts-wiring.ts'
import type { Settings } from '../../config/sections.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { AddressSettings } from '../../model/domain/address-sources.ts'
import type { Log } from '../../kernel/log.ts'
import type { OwnedRrset } from '../../model/network/dns.ts'
import type { DnsService, ReadReportedAddresses } from './service.ts'
import { NameServers } from './zones/name-servers.ts'
import { ServedNames } from './zones/served-names.ts'
import { sparing } from './zones/sparing-lookup.ts'
import { ZoneDiscovery } from './zones/zone-discovery.ts'
import type { DnsProvider } from './providers/port.ts'
import type { Store } from '../../ports/store.ts'
import type { Module } from '../../feature/feature.ts'
import { Challenges } from './challenges/challenges.ts'
import { dnsKey } from './target/diff.ts'
import { type DnsFamily, dnsFamily } from './target/family.ts'
import type { StillServed } from './target/leaving/still-served.ts'
import { leftoversOf } from './target/leaving/removable.ts'
import { othersIn } from './target/others.ts'
import { recordViews } from './target/records.ts'
import { warningsOn } from './target/deciding/warnings.ts'
import { ZoneIndex } from './target/zones/zone-index.ts'
import { ZoneLock } from './target/zones/zone-lock.ts'
import { dnsRecords } from './records.ts'
import { dnsLedger } from './target/parts.ts'

export interface DnsModule extends Required<Pick<Module, 'prepare' | 'start' | 'close'>> {
  /** Empty where no provider is set up: DNS is no component then. */
  readonly sources: readonly Source[]
  /** The addresses that are published may be others. */
  readonly addressesChanged: () => void
  /** What somebody saw of a zone is not what we believe of it: the next look lists it in full. */
  readonly invalidate: (zone: string) => void
  readonly service: DnsService
  readonly challenges: Challenges
}

export interface DnsModuleParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly world: Pick<WorldGuard, 'own'>
  /** Wraps every provider on its way in. */
  readonly wrap?: (provider: DnsProvider) => DnsProvider
  readonly reportedAddresses: ReadReportedAddresses
  /** See `DnsParts`. */
  readonly stillServed: StillServed
  /** Of the keys that were worked on since the start. */
  readonly reports: () => readonly Report[]
  /** The zones that there are may have changed. */
  readonly zonesChanged: () => Promise<void>
}

/** Throws `bad_configuration`. */
export async function dnsModule(parts: DnsModuleParts): Promise<DnsModule> {
  const { settings, store, clock, log, world } = parts
  // What failed meanwhile does not wait for the end of its backoff.
  const opened = await openedAccounts(parts, () => family.changed())
  const { accounts, providers, maker } = opened
  const zone_index = new ZoneIndex(maker === undefined ? null : { account: maker.name, only: maker.zones })
  const addresses = fixedAddresses(settings)
  const lock = new ZoneLock()
  const family = dnsFamily({
    providers,
    settings: { ...addresses, ttl: settings.dns.ttl },
    store: dnsLedger(store, parts.reportedAddresses),
    installation_id: store.installation_id,
    worldStamp: () => world.own(),
    zone_index,
    askAccounts: () => discovery.refresh(),
    lock,
    served: servedBy(settings, clock),
    stillServed: parts.stillServed,
    clock,
    log,
  })
  const discovery = new ZoneDiscovery({
    providers,
    store,
    clock,
    log,
    changed: async (zones) => {
      zone_index.setZones(zones)
      await parts.zonesChanged()
    },
  })
  zone_index.silent = silentAmong(opened, () => discovery.accounts())
  const challenges = new Challenges({ providers, zone_index, lock, log })
  return {
    sources: providers.length === 0 ? [] : [family],
    addressesChanged: () => family.changed(),
    invalidate: (zone) => family.invalidate(zone),
    service: serviceOf(family, {
      addresses,
      reportedAddresses: parts.reportedAddresses,
      providers,
      discovery,
      unserved: namesOf(accounts, (one) => !isServed(one, settings)),
      hosted: namesOf(accounts, ({ is_hosted }) => is_hosted),
      reports: parts.reports,
      challenges: () => challenges.recorded(),
    }),
    challenges,
    async prepare() {
      zone_index.setOwned(await store.of(dnsRecords).ownedRrsets())
      await discovery.prepare()
    },
    start: () => discovery.start(),
    async close() {
      await discovery.stop()
      family.close()
      await opened.end()
    },
  }
}

function fixedAddresses({ engine, dns, ddns }: Settings): AddressSettings {
  const publics = [engine.public_ip, dns.public_ipv6].filter((address) => address !== null)
  return { public_ip: [...new Set(publics)], hub_host: ddns.hub_host }
}

const namesOf = (
  accounts: readonly DnsAccount[],
  is: (account: DnsAccount) => boolean,
): ReadonlySet<string> => new Set(accounts.filter(is).map(({ name }) => name))

/** Of the account that has the zone now; while nobody has it, of all. */
const keptRows = (owned: readonly OwnedRrset[], family: DnsFamily): readonly OwnedRrset[] =>
  owned.filter(({ zone, account }) => (family.zoneNamed(zone)?.account ?? account) === account)

/** Only servers that the settings name: those that a parent names may lag behind, and be many. */
function servedBy({ resolver }: Settings, clock: Clock): ServedNames | null {
  const { authoritative } = resolver
  if (authoritative.length === 0) return null
  const lookup = sparing(createLookup({ try_ms: WITNESS_TRY_MS }), clock)
  const resolvers = async () => (resolver.resolvers.length > 0 ? resolver.resolvers : systemResolvers())
  return new ServedNames({ lookup, servers: new NameServers({ lookup, clock, authoritative, resolvers }) })
}

/** There are two tries, by datagram and by connection. */
const WITNESS_TRY_MS: Milliseconds = 1000

function serviceOf(
  family: DnsFamily,
  {
    addresses,
    reportedAddresses,
    providers,
    discovery,
    reports,
    unserved,
    hosted,
    challenges,
  }: Pick<
    DnsService,
    'addresses' | 'reportedAddresses' | 'providers' | 'discovery' | 'unserved' | 'hosted' | 'challenges'
  > &
    Pick<DnsModuleParts, 'reports'>,
): DnsService {
  const is_off = providers.length === 0
  return {
    addresses,
    reportedAddresses,
    providers,
    discovery,
    unserved,
    hosted,
    accountFor: (name) => family.zoneFor(name)?.account ?? null,
    zoneFor: (name) => family.zoneFor(name)?.name ?? null,
    isShown: (name) => family.zoneFor(name)?.planned === false,
    wishOf: (intent) => family.codec.freeze(family.desire(intent)).digest,
    withoutZone: (intent) => (is_off ? [] : family.withoutZone(intent)),
    leftovers: (intent, { owned, reported }) =>
      is_off ? [] : leftoversOf(keptRows(owned, family), family.desire(intent), reported),
    warnings(intent, facts) {
      const silent = discovery.accounts().filter(({ ok }) => ok === false)
      return is_off ? [] : warningsOn(family.desire(intent), { zone_index: family, silent, ...facts })
    },
    zonesFor: (intent) => family.zonesFor(intent),
    strangers: () => strangersIn(reports()),
    challenges,
    keyOf: dnsKey,
    async look(zone, intent, signal) {
      const observation = await family.target(zone).observe(signal, { afresh: true })
      if (!observation.known) return { known: false, key: dnsKey(zone), detail: observation.detail }
      const { state } = observation
      const records = recordViews(family.desire(intent), state)
      return {
        known: true,
        key: dnsKey(zone),
        state,
        records,
        others: (names, own) => othersIn(state, records, names, own),
        ids: (name, type) => state.rrsets.find((set) => set.name === name && set.type === type)?.ids ?? [],
      }
    },
  }
}

/** Whether any name server is known to serve what the account holds: its own settings say so, or they name a server to ask. */
const isServed = (account: DnsAccount, { resolver, store }: Settings): boolean =>
  resolver.authoritative.length > 0 || account.isServed(store.data_dir)
