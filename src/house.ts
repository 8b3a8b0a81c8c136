/** The composition root: the only place where all arrows meet. Everything that is built here is closed in reverse order. */
import { managedFile } from './io/files/managed-file.ts'
import { createMetrics } from './io/metrics/create-metrics.ts'
import { sqliteInvariants } from './store/invariants.ts'
import { holdLock } from './store/files/lock.ts'
import { openStore } from './store/open.ts'
import { assertFolders } from './config/folders.ts'
import type { LoadedConfig } from './config/load.ts'
import { namesProvider } from './features/sso/provider/named.ts'
import { certificatesRoom } from './features/certificates/certificates-wiring.ts'
import { dnsWatchRoom } from './features/dns/dns-watch-wiring.ts'
import { dnsRoom } from './features/dns/dns-wiring.ts'
import { Engine } from './engine/engine.ts'
import { healthRoom } from './features/health/health-wiring.ts'
import { compileAccess } from './http/access/settings.ts'
import { accessSettings, answerMemory } from './http-wiring.ts'
import { type App, buildApp } from './http/app.ts'
import { endpointsOf } from './endpoints.ts'
import { keylessPace } from './http/access/pace.ts'
import { httpServer } from './http/socket/server.ts'
import { buildFeatures } from './features.ts'
import type { Foundation, HouseOptions } from './foundation.ts'
import { operationDeps, systemParts } from './house-deps.ts'
import type { Deps } from './operations/deps.ts'
import { coreOf } from './core-wiring.ts'
import { type HouseLife, houseLife, prepareHouse } from './house-life.ts'
import { systemClock } from './kernel/clock.ts'
import { keysRoom, mainKey } from './features/keys/keys-wiring.ts'
import type { Secret } from './kernel/secret.ts'
import { assertEntrypointsFit } from './features/releases/changed-entrypoints.ts'
import { assertAuthoritiesThere } from './features/releases/missing-authorities.ts'
import { InterruptedActivations } from './features/deploy/activation.ts'
import { resumeRenames } from './features/deploy/renames.ts'
import { judgeRecovered } from './features/deploy/judge-records.ts'
import { SightWatch } from './features/routes/loaded/sight-watch.ts'
import { LoadedWatch } from './features/routes/loaded/loaded-watch.ts'
import type { HeldLock } from './ports/lock.ts'
import type { Room } from './room.ts'
import { proxyRoom } from './features/routes/proxy-wiring.ts'
import { folderCheck } from './features/routes/routes-folder-wiring.ts'
import { providerRoom } from './features/sso/provider/sso-provider-wiring.ts'
import { ssoRoom } from './features/sso/sso-wiring.ts'
import { peopleRoom } from './features/people/people-wiring.ts'
import { routesTarget } from './features/routes/target/target.ts'
import { protectionOf, routesSettings } from './wiring.ts'
import { WRITTEN_BY_OWNER } from './model/file-access.ts'
import { worldGuard } from './world-wiring.ts'

/** A routes file above this is not read to find drift; no rendering comes near it. */
const MOST_ROUTES_BYTES = 64 * 1024 * 1024

export interface House extends HouseLife {
  readonly app: App
  readonly engine: Engine
  readonly key: Secret
  /** Where the API key is kept, or null when the environment gave it. */
  readonly key_path: string | null
  readonly routes_path: string
}

/** Opens everything but the socket. Throws a Failure that names what is in the way. */
export async function buildHouse(config: LoadedConfig, options: HouseOptions): Promise<House> {
  const { settings } = config
  assertFolders(settings)
  const lock = holdLock(settings.store.data_dir, options.clock)
  try {
    return await furnish(config, lock, options)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function furnish(config: LoadedConfig, lock: HeldLock, options: HouseOptions): Promise<House> {
  const { settings, files } = config
  const { log, clock = systemClock, wrap = {} } = options
  const opened = await openStore({ directory: settings.store.data_dir, log, clock })
  try {
    const store = wrap.store?.(opened) ?? opened
    const plain = managedFile(settings.routes.file, {
      most_bytes: MOST_ROUTES_BYTES,
      access: WRITTEN_BY_OWNER,
      log,
    })
    const file = wrap.file?.(plain) ?? plain
    const invariants = (options.invariants ?? sqliteInvariants)({ directory: settings.store.data_dir, clock })
    const { check_replies = false } = options
    const { files: store_files, ballast } = opened
    return await assemble({
      settings,
      api_key_file: files['API_KEY'] ?? null,
      provider_named: namesProvider(config),
      lock,
      store,
      store_files,
      ballast,
      file,
      log,
      clock,
      wrap,
      invariants,
      check_replies,
    })
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function assemble(foundation: Foundation): Promise<House> {
  const { settings, lock, store, file, log, clock, wrap } = foundation
  const { key, key_path } = await mainKey(foundation)
  const keys = keysRoom(foundation, key)
  const metrics = createMetrics()
  const routes = routesSettings(settings)
  const world = worldGuard(foundation)
  const core = coreOf({
    ...foundation,
    world,
    wrong_keys: keys.wrong,
    engine: () => engine,
    deps: () => deps,
  })
  const features = buildFeatures(settings, core)
  const dns = dnsRoom({
    settings,
    store,
    clock,
    log,
    world,
    ...(wrap.dns && { wrap: wrap.dns }),
    zonesChanged: () => engine.retarget(),
  })
  const certificates = await certificatesRoom({ settings, store, dns, clock, log, wrap: wrap.acme })
  const proxy = proxyRoom({ settings, routes, clock, routes_path: file.path })
  const provider = providerRoom({ settings, store, clock })
  const sso = ssoRoom({ ...foundation, proxy: proxy.api, engine: () => engine, room: provider })
  const people = peopleRoom({ ...foundation, engine: () => engine, room: provider })
  // In the order in which a deploy works on them.
  const targets = [
    ...dns.sources,
    ...certificates.sources,
    ...people.sources,
    ...sso.targets(routesTarget(routes, file, clock)),
    ...features.targets,
  ]
  const engine: Engine = new Engine({
    store,
    targets,
    clock,
    log,
    metrics,
    random: Math.random,
    world,
    mode: settings.engine.mode,
    protection: protectionOf(settings, {
      isApex: (name) => dns.desk.discovery.zones().some((zone) => zone.name === name),
      isPortal: (name) => sso.desk.sign_in.portals().includes(name),
    }),
  })
  const watch = dnsWatchRoom({
    ...foundation,
    accounts: dns.desk,
    disagrees: (zone) => dns.doubt(zone),
  })
  const routes_folder = folderCheck(file, targets, proxy.desk)
  const health = healthRoom({
    ...foundation,
    deps: () => deps,
    brought: () => ({ of_features: features.checks, of_rooms: [routes_folder, ...(sso.checks ?? [])] }),
  })
  const deps: Deps = operationDeps(foundation, {
    core,
    edges: features.edges.sights,
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
  const { events, background, ddns, notifications } = deps
  const interrupted = new InterruptedActivations(deps)
  const loaded_watch = new LoadedWatch(deps)
  engine.onRelease(() => {
    events.added()
    loaded_watch.changed()
    certificates.released()
    ddns.addresses.released()
  })
  engine.onReport((report) => {
    events.report(report)
    sso.told(report)
    certificates.told(report)
    notifications.watch.changed()
    if (report.component === 'dns' && report.repaired > 0) watch.watch.integrity.changed()
    interrupted
      .settle()
      .then(() => judgeRecovered(deps))
      .catch((error: unknown) => log.warn('records not judged', { error }))
  })
  ddns.addresses.onChange(dns.addressesChanged)
  const access = accessSettings(settings, keys.ring)
  const app = buildApp({
    endpoints: endpointsOf(deps, systemParts(deps, metrics), features.endpoints),
    access,
    answers: answerMemory(store, clock),
    background,
    admit: keylessPace(clock),
    keys: keys.wrong,
    check_replies: foundation.check_replies,
    log,
    metrics,
    clock,
  })
  const rooms: readonly Room[] = [
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
    ...features.lifecycles,
    proxy,
    health,
    loaded_watch,
    new SightWatch(deps),
    notifications,
    interrupted,
  ]
  await prepareHouse({ events, engine, background, rooms })
  const { isTrustedProxy } = compileAccess(access)
  const server = httpServer({ app, ...settings.http.listen, isTrustedProxy })
  return {
    app,
    engine,
    key,
    key_path,
    routes_path: file.path,
    ...houseLife({
      settings,
      lock,
      store,
      engine,
      server,
      events,
      background,
      rooms,
      carryOn: () => void resumeRenames(deps),
    }),
  }
}
