/**
 * Puts the daemon together: lock, store, core, features, engine and the façade over them. Everything that is built here is
 * closed in reverse order.
 */
import { managedFile } from './io/files/managed-file.ts'
import { createMetrics } from './io/metrics/create-metrics.ts'
import { sqliteInvariants } from './store/invariants.ts'
import { holdLock } from './store/files/lock.ts'
import { lockInTurn } from './store/files/lock-in-turn.ts'
import { openStore } from './store/open.ts'
import { assertDataFolder, assertFolders } from './config/folders.ts'
import type { LoadedConfig } from './config/load.ts'
import { namesProvider } from './features/sso/provider/named.ts'
import { Engine } from './engine/engine.ts'
import { compileAccess, type CompiledAccess } from './http/access/settings.ts'
import { accessSettings, answerMemory } from './http-wiring.ts'
import { type App, type AppOptions, buildApp } from './http/app.ts'
import { mountedEndpoints, prefixOf, type ServedCompanion } from './http/companions.ts'
import { keylessPace } from './http/access/pace.ts'
import { httpServer } from './http/socket/server.ts'
import { type JoinedFeatures, layFeatures } from './build-features.ts'
import type { Foundation, DaemonOptions } from './foundation.ts'
import { coreOf } from './core-wiring.ts'
import type { EventLog } from './core/events/event-log.ts'
import {
  type CompanionServer,
  type DaemonLifecycle,
  daemonLifecycle,
  prepareDaemon,
} from './daemon-lifecycle.ts'
import { systemClock } from './kernel/clock.ts'
import { consoleModule } from './features/console/console-wiring.ts'
import { keysModule, mainKey } from './features/keys/keys-wiring.ts'
import type { Secret } from './kernel/secret.ts'
import type { HeldLock } from './ports/lock.ts'
import { WRITTEN_BY_OWNER } from './model/file-access.ts'
import { callOf } from './own-api.ts'
import { namedFolders } from './wiring.ts'
import { worldGuard } from './world-wiring.ts'

/** A routes file above this is not read to find drift; no rendering comes near it. */
const MAX_ROUTES_BYTES = 64 * 1024 * 1024

export interface Daemon extends DaemonLifecycle {
  readonly app: App
  readonly engine: Engine
  readonly key: Secret
  /** Where the API key is kept, or null when the environment gave it. */
  readonly key_path: string | null
  readonly routes_path: string
}

/** Opens everything but the socket. Throws a Failure that names what is in the way. */
export async function buildDaemon(config: LoadedConfig, options: DaemonOptions): Promise<Daemon> {
  const { settings } = config
  const { data_dir } = settings.store
  assertDataFolder(data_dir)
  assertFolders(namedFolders(settings), data_dir)
  const { lock_grace: grace, clock } = options
  const lock = grace === undefined ? holdLock(data_dir, clock) : await lockInTurn(data_dir, grace, clock)
  try {
    return await furnish(config, lock, options)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function furnish(config: LoadedConfig, lock: HeldLock, options: DaemonOptions): Promise<Daemon> {
  const { settings, declared, files } = config
  const { log, clock = systemClock, wrap = {} } = options
  const opened = await openStore({ directory: settings.store.data_dir, log, clock })
  try {
    const store = wrap.store?.(opened) ?? opened
    const plain = managedFile(settings.routes.file, {
      max_bytes: MAX_ROUTES_BYTES,
      access: WRITTEN_BY_OWNER,
      log,
    })
    const file = wrap.file?.(plain) ?? plain
    const invariants = (options.invariants ?? sqliteInvariants)({ directory: settings.store.data_dir, clock })
    const { check_replies = false } = options
    const { files: store_files, ballast } = opened
    return await assemble({
      settings,
      declared,
      described: async () => (await import('./config/describe.ts')).describe(config),
      examine: async (call, findings) =>
        (await import('./doctor/examine.ts')).examineRunning(config, call, findings),
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

async function assemble(foundation: Foundation): Promise<Daemon> {
  const { settings, lock, store, file, log, clock } = foundation
  const { key, key_path } = await mainKey(foundation)
  const keys = keysModule(foundation, key)
  const metrics = createMetrics()
  const world = worldGuard(foundation)
  const core = coreOf({
    ...foundation,
    world,
    wrong_keys: keys.wrong,
    engine: () => engine,
    deps: () => features.deps,
  })
  const { events } = core
  const door = consoleModule({ ...foundation, ring: keys.ring, wrong_keys: keys.wrong, world, events })
  const laid = await layFeatures({
    foundation,
    core,
    world,
    keys,
    door,
    call: async (request) => callOf({ app, key })(request),
  })
  const engine: Engine = new Engine({
    store,
    targets: laid.targets,
    clock,
    log,
    metrics,
    random: Math.random,
    world,
    mode: settings.engine.mode,
    protection: laid.protection,
    carryOver: laid.carryOver,
    ignored: core.ignored,
  })
  const features = laid.join(engine, metrics)
  tellOf(engine, { events, features })
  const { companions, lifecycles } = features
  const { background } = features.deps
  const facade: Facade = {
    access: accessSettings(settings, { ring: keys.ring, companions, sessions: door.registry }),
    answers: answerMemory(store, clock),
    background,
    admit: keylessPace(clock),
    keys: keys.wrong,
    check_replies: foundation.check_replies,
    log,
    metrics,
    clock,
  }
  const endpoints = [...features.endpoints, ...mountedEndpoints(companions)]
  const app: App = buildApp({ ...facade, endpoints })
  await prepareDaemon({ events, engine, background, lifecycles })
  const { isTrustedProxy } = compileAccess(facade.access)
  const server = httpServer({ app, ...settings.http.listen, isTrustedProxy })
  const beside = companionServers(companions, { facade, isTrustedProxy })
  const life = { settings, lock, store, engine, server, beside, events, background, lifecycles }
  return { app, engine, key, key_path, routes_path: file.path, ...daemonLifecycle(life) }
}

/** What the apps of all listeners have in common. */
type Facade = Omit<AppOptions, 'endpoints' | 'base'>

interface Listeners {
  readonly events: EventLog
  readonly features: JoinedFeatures
}

/** Who waits for changes hears of them first. */
function tellOf(engine: Engine, { events, features }: Listeners): void {
  engine.onRelease(() => {
    events.added()
    features.released()
  })
  engine.onReport((report) => {
    events.report(report)
    features.reported(report)
  })
}

interface Serving extends Pick<CompiledAccess, 'isTrustedProxy'> {
  readonly facade: Facade
}

/** Of those that have an address of their own. */
function companionServers(
  companions: readonly ServedCompanion[],
  { facade, isTrustedProxy }: Serving,
): readonly CompanionServer[] {
  return companions.flatMap(({ name, listen, endpoints }) => {
    if (listen === null) return []
    const app = buildApp({ ...facade, endpoints, base: prefixOf({ name }) })
    return { name, host: listen.host, server: httpServer({ app, ...listen, isTrustedProxy }) }
  })
}
