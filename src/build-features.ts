/**
 * Builds the features, and gives each what it needs of others. They are laid before the engine is built, because it works on
 * their targets, which are in the order of a deploy; what asks the engine joins after it.
 */
import { certificatesModule } from './features/certificates/certificates-wiring.ts'
import { builtAlone, type WholeCore } from './core-wiring.ts'
import type { HealthCheck } from './core/check.ts'
import type { Feature, Lifecycle } from './feature/feature.ts'
import { type ServedCompanion, servedCompanion } from './http/companions.ts'
import { turnedOn } from './http-wiring.ts'
import type { KeptWords } from './core/finding.ts'
import { type Deps, operationDeps, systemParts } from './deps-wiring.ts'
import type { Source } from './engine/components.ts'
import type { Engine } from './engine/engine.ts'
import type { EngineParts } from './engine/engine-parts.ts'
import type { Protection } from './engine/pass/release-guards.ts'
import type { WorldGuard } from './engine/world/guard.ts'
import { discoveryFeature } from './features/discovery/feature.ts'
import { type DnsWatchModule, dnsWatchModule } from './features/dns/dns-watch-wiring.ts'
import { dnsModule } from './features/dns/dns-wiring.ts'
import { edgesFeature } from './features/edges/feature.ts'
import { type HealthModule, healthModule } from './features/health/health-wiring.ts'
import type { Keys } from './features/keys/key-view.ts'
import { peopleModule } from './features/people/people-wiring.ts'
import { servedAfterLoad, stillServed } from './features/routes/loaded/still-served.ts'
import { proxyModule } from './features/routes/proxy-wiring.ts'
import { folderCheck } from './features/routes/routes-folder-wiring.ts'
import { routedHosts } from './features/routes/opens/routed-hosts.ts'
import { releasedRoutes } from './features/routes/target/released.ts'
import { routesTarget } from './features/routes/target/target.ts'
import { providerModule } from './features/sso/provider/sso-provider-wiring.ts'
import { ssoModule } from './features/sso/sso-wiring.ts'
import type { SystemParts } from './features/system/endpoints.ts'
import { sshTargetsFeature } from './features/ssh-targets/feature.ts'
import { importFeature } from './features/import/feature.ts'
import { releasesFeature } from './features/releases/feature.ts'
import { dnsFeature } from './features/dns/feature.ts'
import { certificatesFeature } from './features/certificates/feature.ts'
import { quarantinedIds } from './features/sso/records.ts'
import { ssoFeature } from './features/sso/feature.ts'
import { peopleFeature } from './features/people/feature.ts'
import { mailFeature } from './features/mail/feature.ts'
import { consoleFeature } from './features/console/feature.ts'
import type { SessionDoor } from './features/console/session-endpoints.ts'
import { keysFeature } from './features/keys/feature.ts'
import { type CompanionFeatures, companionFeatures } from './companions-wiring.ts'
import { carryOver } from './features/ddns/hosts/carry-over.ts'
import { readReportedAddresses } from './features/ddns/records.ts'
import { ddnsFeature } from './features/ddns/feature.ts'
import { domainsFeature } from './features/domains/feature.ts'
import { routesFeature } from './features/routes/feature.ts'
import { explainFeature } from './features/explain/feature.ts'
import { lampDeps, lampsFeature } from './features/lamps/feature.ts'
import { idsWithCause, unknownLamps } from './features/lamps/read-lamps.ts'
import { historyFeature } from './features/history/feature.ts'
import { dashboardFeature } from './features/dashboard/feature.ts'
import { healthFeature } from './features/health/feature.ts'
import { notificationsFeature } from './features/notifications/feature.ts'
import { deployFeature, recordStatuses } from './features/deploy/feature.ts'
import { systemFeature } from './features/system/feature.ts'
import type { CallOwnApi, Foundation } from './foundation.ts'
import type { Endpoint } from './http/contract.ts'
import type { ReadableMetrics } from './io/metrics/create-metrics.ts'
import type { Report } from './model/report.ts'
import { assertKnown, protectionOf, responsibilityOf, routesSettings } from './wiring.ts'

interface Parts {
  readonly foundation: Foundation
  readonly core: WholeCore
  readonly world: WorldGuard
  readonly keys: Keys
  readonly door: SessionDoor
  /** The API of this daemon, as its commands call it. */
  readonly call: CallOwnApi
}

/** What the engine is built on. */
export interface LaidFeatures {
  /** In the order in which a deploy works on them. */
  readonly targets: readonly Source[]
  readonly protection: Protection
  readonly carryOver: EngineParts['carryOver']
  join(engine: Engine, metrics: ReadableMetrics): JoinedFeatures
}

export interface JoinedFeatures {
  readonly deps: Deps
  readonly endpoints: readonly Endpoint[]
  /** Services with a base address of their own, as far as they are turned on. */
  readonly companions: readonly ServedCompanion[]
  /** In the order in which they are prepared; what a feature needs stands before it. */
  readonly lifecycles: readonly Lifecycle[]
  /** There is another release. */
  released(): void
  /** A pass was made. */
  reported(report: Report): void
}

/** Throws a Failure that names the setting which cannot be followed. */
export async function layFeatures(parts: Parts): Promise<LaidFeatures> {
  const modules = await modulesOf(parts)
  const { settings, file, clock } = parts.foundation
  const { dns, certificates, people, sso, routes, standalone, edges, discovery, ssh_targets } = modules
  const targets = [
    ...dns.sources,
    ...certificates.sources,
    ...people.sources,
    ...sso.targets(routesTarget(routes, file, clock)),
    // Those that are whole before the engine is built.
    ...[...standalone, edges, discovery, ssh_targets].flatMap((feature) => feature.targets ?? []),
  ]
  return {
    targets,
    carryOver,
    protection: protectionOf(settings, {
      isApex: (name) => dns.service.discovery.zones().some((zone) => zone.name === name),
      isPortal: (name) => sso.service.sign_in.portals().includes(name),
    }),
    join: (engine, metrics) => joined(parts, modules, { engine, metrics, targets }),
  }
}

type Modules = Awaited<ReturnType<typeof modulesOf>>

async function modulesOf({ foundation, core, world }: Parts) {
  const { settings, store, clock, log, file, wrap } = foundation
  const { engine } = core
  const routes = routesSettings(settings)
  const responsibility = responsibilityOf(settings)
  const basics = { settings, store, clock, log }
  const dns = await dnsModule({
    ...basics,
    world,
    ...(wrap.dns && { wrap: wrap.dns }),
    zonesChanged: () => engine().retarget(),
    reports: () => engine().lastReports(),
    stillServed: (leaving) => stillServed(proxied(), leaving),
    reportedAddresses: readReportedAddresses,
  })
  const certificates = await certificatesModule({
    ...foundation,
    responsibility,
    quarantined: () => quarantinedIds(store),
    keysChanged: () => engine().retarget(),
    dns,
    wrap: wrap.acme,
  })
  const released = releasedRoutes(store, routes)
  const proxy = proxyModule({ settings, routes, clock, released, file })
  const provider = providerModule({ settings, store, clock })
  const proxied = () => ({ engine: engine(), proxy: proxy.service, routes_path: file.path, store, clock })
  const sso = ssoModule({
    ...foundation,
    routes,
    proxy: proxy.api,
    engine,
    module: provider,
    stillServed: (names, signal) => servedAfterLoad(proxied(), names, signal),
  })
  const people = peopleModule({ ...foundation, engine, module: provider })
  const standalone = await builtAlone(core, settings)
  const edges = edgesFeature(settings.edges, core, { released, servable: sso.servable })
  const discovery = discoveryFeature(settings, core)
  const ssh_targets = sshTargetsFeature(settings, core, discovery.lab)
  return {
    routes,
    dns,
    certificates,
    proxy,
    provider,
    sso,
    people,
    standalone,
    edges,
    discovery,
    ssh_targets,
  }
}

interface Joining {
  readonly engine: Engine
  readonly metrics: ReadableMetrics
  readonly targets: readonly Source[]
}

/** In the order of their endpoints, and of what is prepared first. */
function listOf(
  deps: Deps,
  modules: Modules,
  { watch, folder, health, system, alert_days, companions, door }: Late,
): readonly Feature[] {
  const lamps = lampDeps(deps)
  return [
    systemFeature(deps, system),
    // Before the records, whose paths would take its words for ids.
    lampsFeature(lamps),
    historyFeature(deps),
    domainsFeature(deps, { withCause: (cause) => idsWithCause(lamps, cause) }),
    explainFeature(deps),
    importFeature(deps),
    releasesFeature(deps),
    dnsFeature(deps, modules.dns, watch),
    certificatesFeature(deps, modules.certificates, alert_days),
    ssoFeature(deps, modules.provider, modules.sso),
    peopleFeature(deps, modules.people),
    mailFeature(deps),
    keysFeature(deps),
    consoleFeature(deps, door),
    ddnsFeature(deps, { changed: modules.dns.addressesChanged, ...companions.ddns }),
    ...modules.standalone,
    modules.edges,
    modules.discovery,
    modules.ssh_targets,
    ...companions.features,
    routesFeature(deps, modules.proxy, { folder, statuses: recordStatuses(deps) }),
    healthFeature(deps, health),
    dashboardFeature({ ...deps, unknownCertificates: () => unknownLamps(lamps, 'certificate') }, system),
    notificationsFeature(deps),
    deployFeature(deps),
  ]
}

/** What is built on the engine, or on other features. */
interface Late {
  readonly door: SessionDoor
  readonly watch: DnsWatchModule
  readonly folder: HealthCheck
  readonly health: HealthModule
  readonly system: SystemParts
  readonly alert_days: readonly number[]
  readonly companions: CompanionFeatures
}

function joined(
  { foundation, core, keys, door, call }: Parts,
  modules: Modules,
  { engine, metrics, targets }: Joining,
): JoinedFeatures {
  const { routes, dns, certificates, proxy, sso, people } = modules
  const watch = dnsWatchModule({
    ...foundation,
    accounts: dns.service,
    routesHosts: () => routedHosts(foundation.file),
    disagrees: (zone) => dns.invalidate(zone),
  })
  const folder = folderCheck(foundation.file, targets, { proxy: proxy.service, entrypoints: () => deps })
  const words = (): Readonly<Record<string, KeptWords>> =>
    Object.fromEntries(features.flatMap((feature) => Object.entries(feature.words ?? {})))
  const health = healthModule({
    ...foundation,
    deps: () => deps,
    words,
    brought: () => features.flatMap(({ checks = [] }) => checks),
  })
  const deps: Deps = operationDeps(foundation, {
    core,
    findings: () => features.flatMap(({ findings = [] }) => findings),
    words,
    engine,
    routes,
    metrics,
    dns: dns.service,
    dns_watch: watch.watch,
    certificates: certificates.service,
    sso: sso.service,
    mail: people.mail,
    people: people.service,
    proxy: proxy.service,
    backend: proxy.backend,
    health: health.service,
    routes_folder: folder,
    hooks: () => hooks,
    keys,
  })
  const { certificate_days: alert_days } = foundation.settings.notify
  const system = { ...systemParts(deps, metrics, { foundation, call }), endpoints: () => endpoints }
  const companions = companionFeatures(foundation.settings, core, {
    lab: modules.discovery.lab,
    deps,
    system,
    ssh_targets: modules.ssh_targets.mounted(deps.deploy),
  })
  const late = { watch, folder, health, system, alert_days, companions, door }
  const features = listOf(deps, modules, late)
  assertKnown(targets, features)
  const hooks = features.flatMap((feature) => feature.hooks ?? [])
  const endpoints: readonly Endpoint[] = features.flatMap((feature) => feature.endpoints ?? [])
  return {
    deps,
    endpoints,
    companions: turnedOn(features, foundation.settings).map((one) => servedCompanion(one, endpoints, system)),
    lifecycles: features.flatMap(({ lifecycles = [] }) => lifecycles),
    released: () => features.forEach((feature) => feature.released?.()),
    reported: (report) => features.forEach((feature) => feature.reported?.(report)),
  }
}
