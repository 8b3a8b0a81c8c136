/**
 * The one list of features: what each is given of others, in the order of a deploy. They are laid before the engine is
 * built, because it works on their targets; what asks the engine joins after it.
 */
import { certificatesRoom } from './features/certificates/certificates-wiring.ts'
import type { WholeCore } from './core-wiring.ts'
import type { HealthCheck } from './core/check.ts'
import type { Feature, Lifecycle } from './core/feature.ts'
import { operationDeps, systemParts } from './deps-wiring.ts'
import { endpointsOf } from './endpoints.ts'
import type { Source } from './engine/components.ts'
import type { Engine } from './engine/engine.ts'
import type { Protection } from './engine/pass/release-guards.ts'
import type { WorldGuard } from './engine/world/guard.ts'
import { InterruptedActivations } from './features/deploy/activation.ts'
import { judgeRecovered } from './features/deploy/judge-records.ts'
import { resumeRenames } from './features/deploy/renames.ts'
import { discoveryFeature } from './features/discovery/feature.ts'
import { dnsWatchRoom } from './features/dns/dns-watch-wiring.ts'
import { dnsRoom } from './features/dns/dns-wiring.ts'
import { edgesFeature } from './features/edges/feature.ts'
import { healthRoom } from './features/health/health-wiring.ts'
import type { Keys } from './features/keys/key-view.ts'
import { peopleRoom } from './features/people/people-wiring.ts'
import { assertEntrypointsFit } from './features/releases/changed-entrypoints.ts'
import { assertAuthoritiesThere } from './features/releases/missing-authorities.ts'
import { LoadedWatch } from './features/routes/loaded/loaded-watch.ts'
import { SightWatch } from './features/routes/loaded/sight-watch.ts'
import { proxyRoom } from './features/routes/proxy-wiring.ts'
import { folderCheck } from './features/routes/routes-folder-wiring.ts'
import { routesTarget } from './features/routes/target/target.ts'
import { sshClientsFeature } from './features/ssh-clients/feature.ts'
import { providerRoom } from './features/sso/provider/sso-provider-wiring.ts'
import { ssoRoom } from './features/sso/sso-wiring.ts'
import type { Foundation } from './foundation.ts'
import type { Endpoint } from './http/contract.ts'
import type { ReadableMetrics } from './io/metrics/create-metrics.ts'
import type { Report } from './model/report.ts'
import type { Deps } from './operations/deps.ts'
import type { Room } from './room.ts'
import { protectionOf, routesSettings } from './wiring.ts'

interface Parts {
  readonly foundation: Foundation
  readonly core: WholeCore
  readonly world: WorldGuard
  readonly keys: Keys
}

/** What the engine is built on. */
export interface LaidFeatures {
  /** In the order in which a deploy works on them. */
  readonly targets: readonly Source[]
  readonly protection: Protection
  join(engine: Engine, metrics: ReadableMetrics): JoinedFeatures
}

export interface JoinedFeatures {
  readonly deps: Deps
  readonly endpoints: readonly Endpoint[]
  /** In the order in which they are prepared; what a feature needs stands before it. */
  readonly lifecycles: readonly Lifecycle[]
  /** There is another release. */
  released(): void
  /** A pass was made. */
  reported(report: Report): void
  /** Takes up what an earlier process left open, beside the rest. */
  carryOn(): void
}

/** Throws a Failure that names the setting which cannot be followed. */
export async function layFeatures(parts: Parts): Promise<LaidFeatures> {
  const rooms = await roomsOf(parts)
  const { settings, file, clock } = parts.foundation
  const { dns, certificates, people, sso, routes, list } = rooms
  const targets = [
    ...dns.sources,
    ...certificates.sources,
    ...people.sources,
    ...sso.targets(routesTarget(routes, file, clock)),
    ...list.flatMap((feature) => feature.targets),
  ]
  return {
    targets,
    protection: protectionOf(settings, {
      isApex: (name) => dns.desk.discovery.zones().some((zone) => zone.name === name),
      isPortal: (name) => sso.desk.sign_in.portals().includes(name),
    }),
    join: (engine, metrics) => joined(parts, rooms, { engine, metrics, targets }),
  }
}

type Rooms = Awaited<ReturnType<typeof roomsOf>>

async function roomsOf({ foundation, core, world }: Parts) {
  const { settings, store, clock, log, file, wrap } = foundation
  const { engine } = core
  const routes = routesSettings(settings)
  const dns = dnsRoom({
    settings,
    store,
    clock,
    log,
    world,
    ...(wrap.dns && { wrap: wrap.dns }),
    zonesChanged: () => engine().retarget(),
  })
  const certificates = await certificatesRoom({ settings, store, dns, clock, log, wrap: wrap.acme })
  const proxy = proxyRoom({ settings, routes, clock, routes_path: file.path })
  const provider = providerRoom({ settings, store, clock })
  const sso = ssoRoom({ ...foundation, proxy: proxy.api, engine, room: provider })
  const people = peopleRoom({ ...foundation, engine, room: provider })
  const edges = edgesFeature(settings.edges, core)
  const list: readonly Feature[] = [
    sshClientsFeature(settings.ssh, core),
    edges,
    discoveryFeature(settings, core),
  ]
  return { routes, dns, certificates, proxy, provider, sso, people, edges, list }
}

interface Joining {
  readonly engine: Engine
  readonly metrics: ReadableMetrics
  readonly targets: readonly Source[]
}

function joined({ foundation, core, keys }: Parts, rooms: Rooms, { engine, metrics, targets }: Joining) {
  const { file, log } = foundation
  const { routes, dns, certificates, proxy, provider, sso, people, edges, list } = rooms
  const watch = dnsWatchRoom({
    ...foundation,
    accounts: dns.desk,
    disagrees: (zone) => dns.doubt(zone),
  })
  const routes_folder = folderCheck(file, targets, proxy.desk)
  const of_features: readonly HealthCheck[] = list.flatMap(({ checks }) => checks)
  const health = healthRoom({
    ...foundation,
    deps: () => deps,
    brought: () => ({ of_features, of_rooms: [routes_folder, ...(sso.checks ?? [])] }),
  })
  const deps: Deps = operationDeps(foundation, {
    core,
    edges: edges.sights,
    engine,
    routes,
    metrics,
    dns: dns.desk,
    dns_watch: watch.watch,
    certificates: certificates.desk,
    sso: sso.desk,
    mail: people.mail,
    people: people.desk,
    proxy: proxy.desk,
    backend: proxy.backend,
    health: health.desk,
    routes_folder,
    keys,
  })
  const { ddns, notifications } = deps
  const interrupted = new InterruptedActivations(deps)
  const loaded_watch = new LoadedWatch(deps)
  ddns.addresses.onChange(dns.addressesChanged)
  const before: readonly Room[] = [
    { prepare: () => assertEntrypointsFit(deps) },
    { prepare: () => assertAuthoritiesThere(deps) },
    provider,
    dns,
    certificates,
    sso,
    people,
    watch,
    keys.ring,
    keys.foreign,
    ddns,
  ]
  const after: readonly Room[] = [
    proxy,
    health,
    loaded_watch,
    new SightWatch(deps),
    notifications,
    interrupted,
  ]
  return {
    deps,
    endpoints: endpointsOf(
      deps,
      systemParts(deps, metrics),
      list.flatMap(({ endpoints }) => endpoints),
    ),
    lifecycles: [...before, ...list.map(({ lifecycle }) => lifecycle), ...after],
    released() {
      loaded_watch.changed()
      certificates.released()
      ddns.addresses.released()
    },
    reported(report: Report) {
      sso.told(report)
      certificates.told(report)
      notifications.watch.changed()
      if (report.component === 'dns' && report.repaired > 0) watch.watch.integrity.changed()
      interrupted
        .settle()
        .then(() => judgeRecovered(deps))
        .catch((error: unknown) => log.warn('records not judged', { error }))
    },
    carryOn: () => void resumeRenames(deps),
  }
}
