/** From settings to DNS: an adapter for each account, the family of targets over them, and what operations know of both. */
import { readFileSync } from 'node:fs'
import { createLookup } from './lookup/create-lookup.ts'
import { systemResolvers } from './lookup/system-resolvers.ts'
import type { Source } from '../../engine/components.ts'
import type { WorldGuard } from '../../engine/world/guard.ts'
import type { Report } from '../../model/report.ts'
import { strangersIn } from './records/strangers.ts'
import { createHttpClient } from '../../io/http-client/create-client.ts'
import { knownDead } from '../../io/http-client/known-dead.ts'
import { yamlDocuments } from '../../io/yaml/documents.ts'
import type { DnsAccount } from './accounts/dns-account.ts'
import { dnsAccounts } from './accounts/dns-accounts.ts'
import { assertFolders, type NamedFolder } from '../../config/folders.ts'
import type { Settings } from '../../config/sections.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure, fieldError } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { DnsService, ReadReports } from './service.ts'
import { NameServers } from './zones/name-servers.ts'
import { ServedNames } from './zones/served-names.ts'
import { sparing } from './zones/sparing-lookup.ts'
import { type AccountState, ZoneDiscovery } from './zones/zone-discovery.ts'
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
  readonly reported: ReadReports
  /** See `DnsParts`. */
  readonly stillServed: StillServed
  /** Of the keys that were worked on since the start. */
  readonly reports: () => readonly Report[]
  /** The zones that there are may have changed. */
  readonly zonesChanged: () => Promise<void>
}

/** Throws `bad_configuration`. */
export async function dnsModule(parts: DnsModuleParts): Promise<DnsModule> {
  const { settings, store, clock, log, world, wrap = (provider) => provider } = parts
  const accounts = dnsAccounts(settings, readAccounts(settings.dns.accounts_file))
  assertFolders(namedBy(accounts), settings.store.data_dir)
  // What failed meanwhile does not wait for the end of its backoff.
  const back = () => family.changed()
  const http = knownDead(createHttpClient({ clock }), { clock, back })
  const ends: (() => void)[] = []
  const tools = { http, clock, log, back, atEnd: (end: () => void) => void ends.push(end) }
  const opened = await Promise.all(accounts.map((account) => account.open(tools)))
  const providers = opened.map((provider, i) => wrap(limitedTo(accounts[i]!.zones, provider)))
  const maker = accounts.find((_, i) => opened[i]!.traits.makes_zones)
  const zone_index = new ZoneIndex(maker === undefined ? null : { account: maker.name, only: maker.zones })
  const unserved = new Set(accounts.filter((one) => !isServed(one, settings)).map(({ name }) => name))
  const hosted = new Set(accounts.filter(({ is_hosted }) => is_hosted).map(({ name }) => name))
  const { public_ip } = settings.engine
  const publics = [public_ip, settings.dns.public_ipv6].filter((address) => address !== null)
  const addresses = { public_ip: [...new Set(publics)], hub_host: settings.ddns.hub_host }
  const lock = new ZoneLock()
  const family = dnsFamily({
    providers,
    settings: { ...addresses, ttl: settings.dns.ttl },
    store: dnsLedger(store, parts.reported),
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
  const isSilent = ({ account, ok }: AccountState) => ok === false || (ok === null && account !== maker?.name)
  const zonesOf = new Map(accounts.map(({ name, zones }) => [name, zones]))
  const mayHave = (account: string, zone: string | undefined): boolean => {
    const only = zonesOf.get(account) ?? []
    return zone === undefined || only.length === 0 || only.includes(zone)
  }
  zone_index.silent = (zone) =>
    discovery
      .accounts()
      .filter(isSilent)
      .map(({ account }) => account)
      .filter((account) => mayHave(account, zone))
  const challenges = new Challenges({ providers, zone_index, lock, log })
  return {
    sources: providers.length === 0 ? [] : [family],
    addressesChanged: () => family.changed(),
    invalidate: (zone) => family.invalidate(zone),
    service: serviceOf(family, {
      addresses,
      reported: parts.reported,
      providers,
      discovery,
      unserved,
      hosted,
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
      for (const end of ends) end()
      await http.close()
    },
  }
}

/** The folders of accounts. What the settings themselves name was looked at before: what is missing now is of the file. */
const namedBy = (accounts: readonly DnsAccount[]): readonly NamedFolder[] =>
  accounts.flatMap(({ folder }) => (folder === null ? [] : [{ name: 'PLUMBLINE_DNS_ACCOUNTS_FILE', folder }]))

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
    reported,
    providers,
    discovery,
    reports,
    unserved,
    hosted,
    challenges,
  }: Pick<
    DnsService,
    'addresses' | 'reported' | 'providers' | 'discovery' | 'unserved' | 'hosted' | 'challenges'
  > &
    Pick<DnsModuleParts, 'reports'>,
): DnsService {
  const is_off = providers.length === 0
  return {
    addresses,
    reported,
    providers,
    discovery,
    unserved,
    hosted,
    accountFor: (name) => family.zoneFor(name)?.account ?? null,
    zoneFor: (name) => family.zoneFor(name)?.name ?? null,
    isShown: (name) => family.zoneFor(name)?.planned === false,
    wishOf: (intent) => family.codec.freeze(family.desire(intent)).digest,
    withoutZone: (intent) => (is_off ? [] : family.withoutZone(intent)),
    leftovers: (intent, owned) => (is_off ? [] : leftoversOf(owned, family.desire(intent))),
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

/** A provider that shows only the zones that it may touch. */
function limitedTo(zones: readonly string[], provider: DnsProvider): DnsProvider {
  if (zones.length === 0) return provider
  const { account, kind } = provider
  return {
    account,
    kind,
    get traits() {
      return provider.traits
    },
    zones: async (signal) => (await provider.zones(signal)).filter(({ name }) => zones.includes(name)),
    stamp: (zone, signal) => provider.stamp(zone, signal),
    list: (zone, signal) => provider.list(zone, signal),
    change: (zone, changes, signal) => provider.change(zone, changes, signal),
    ...('at' in provider && { at: (zone, wanted, signal) => provider.at!(zone, wanted, signal) }),
    ...('listAgain' in provider && {
      listAgain: (zone, types, signal) => provider.listAgain!(zone, types, signal),
    }),
    ...('placeFault' in provider && { placeFault: (zone) => provider.placeFault!(zone) }),
    ...('watch' in provider && { watch: (zone, hint) => provider.watch!(zone, hint) }),
    ...('makeZone' in provider && { makeZone: (zone, signal) => provider.makeZone!(zone, signal) }),
  }
}

/** The accounts file, parsed; null without one. Throws `bad_configuration`. */
export function readAccounts(path: string | null): unknown {
  if (path === null) return null
  const bad = (msg: string) =>
    new Failure('bad_configuration', `PLUMBLINE_DNS_ACCOUNTS_FILE: ${path}: ${msg}.`, {
      errors: [fieldError(['PLUMBLINE_DNS_ACCOUNTS_FILE'], `${path}: ${msg}`, 'config')],
    })
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw bad(`cannot be read (${(cause as Error).message})`)
  }
  const read = yamlDocuments.read(text)
  if (!read.ok) throw bad(`line ${read.line ?? '?'} ${read.msg}`)
  return read.data
}
