/** From settings to watching DNS: lookups, the integrity check, and the resolvers of the network. */
import { createLookup } from './lookup/create-lookup.ts'
import { systemResolvers } from './lookup/system-resolvers.ts'
import { createHttpClient } from '../../io/http-client/create-client.ts'
import { knownDead } from '../../io/http-client/known-dead.ts'
import { resolverConfigs } from './resolver/index.ts'
import type { Settings } from '../../config/sections.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type DnsService, hasServed } from './service.ts'
import { IntegrityCheck } from './integrity/integrity.ts'
import type { DnsWatch } from './integrity/watch.ts'
import type { Store } from '../../ports/store.ts'
import type { Module } from '../../feature/feature.ts'
import { isKept } from './records/external-ip.ts'
import { dnsRecords } from './records.ts'

export interface DnsWatchModule extends Module {
  readonly watch: DnsWatch
}

export interface DnsWatchParts {
  readonly settings: Settings
  readonly store: Store
  /** Hosts that the routes file names, ours and anybody's; null where it cannot be read. */
  readonly routesHosts: DnsWatch['status']['routesHosts']
  readonly clock: Clock
  readonly log: Log
  /** Where none of the accounts is served, DNS is not watched. */
  readonly accounts: Pick<DnsService, 'providers' | 'unserved' | 'accountFor'>
  /** What the servers show of a zone is not what we believe of it. */
  readonly disagrees: (zone: string) => void
}

export function dnsWatchModule(parts: DnsWatchParts): DnsWatchModule {
  const { settings, store, routesHosts, clock, log, accounts, disagrees } = parts
  const { resolver } = settings
  const http = knownDead(createHttpClient({ clock }), { clock })
  const integrity = new IntegrityCheck({
    lookup: createLookup(),
    clock,
    log,
    authoritative: resolver.authoritative,
    resolvers: async () => (resolver.resolvers.length > 0 ? resolver.resolvers : systemResolvers()),
    managed: async () =>
      (await store.of(dnsRecords).ownedRrsets()).filter(
        (set) => set.state === 'owned' && !accounts.unserved.has(set.account) && isKept(set, accounts),
      ),
    disagrees,
  })
  const status = {
    clock,
    sources: resolverConfigs(resolver.config, http, resolver),
    proxy_addresses: resolver.proxy_addresses,
    routesHosts,
  }
  return {
    watch: { status, integrity },
    start: () => (hasServed(accounts) ? integrity.start() : undefined),
    async close() {
      await integrity.stop()
      await http.close()
    },
  }
}
