/** The composition root: the only place where all arrows meet. Everything that is built here is closed in reverse order. */
import { dirname, join } from 'node:path'
import { readFileSync } from 'node:fs'
import { keyFile } from './adapters/files/key-file.ts'
import { managedFile } from './adapters/files/managed-file.ts'
import { statusFile } from './adapters/files/status-file.ts'
import { createMetrics, type ReadableMetrics } from './adapters/metrics/create-metrics.ts'
import { holdLock } from './adapters/sqlite/lock.ts'
import { openStore } from './adapters/sqlite/open.ts'
import type { LoadedConfig } from './config/load.ts'
import type { HostPort } from './config/kinds/network.ts'
import type { Settings } from './config/sections.ts'
import { certificatesDesk } from './certificates-wiring.ts'
import { type DnsWatchRoom, dnsWatchRoom } from './dns-watch-wiring.ts'
import { type DnsRoom, dnsRoom } from './dns-wiring.ts'
import type { Source } from './engine/components.ts'
import { Engine } from './engine/engine.ts'
import { compileAccess } from './http/access-settings.ts'
import { accessSettings, answerMemory } from './http-wiring.ts'
import { type App, buildApp } from './http/app.ts'
import { endpointsOf } from './http/endpoints.ts'
import { httpServer, type HttpServer } from './http/server.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { Log } from './kernel/log.ts'
import type { Secret } from './kernel/secret.ts'
import { hostPort } from './model/address.ts'
import { Background } from './operations/background/background.ts'
import { type Ddns, dynamicDns } from './operations/ddns/ddns.ts'
import type { Deps } from './operations/deps.ts'
import { EventLog } from './operations/events/event-log.ts'
import { measureStore } from './operations/measure.ts'
import { judgeRecovered } from './operations/deploy/judge-records.ts'
import type { DnsProvider } from './ports/dns-provider.ts'
import type { ManagedFile } from './ports/files.ts'
import type { HeldLock } from './ports/lock.ts'
import type { Store } from './ports/store.ts'
import { type ProxyRoom, proxyRoom } from './proxy-wiring.ts'
import { renderRoutes } from './targets/routes/desire.ts'
import { diffRenderings } from './targets/routes/rendering-diff.ts'
import type { RoutesSettings } from './targets/routes/settings.ts'
import { routesTarget } from './targets/routes/target.ts'
import { HTTP_ENTRYPOINT, HTTPS_ENTRYPOINT, offerOf, protectionOf, routesSettings } from './wiring.ts'

/** A routes file above this is not read to find drift; no rendering comes near it. */
const MOST_ROUTES_BYTES = 64 * 1024 * 1024

export interface HouseOptions {
  readonly log: Log
  readonly clock?: Clock
  /** Wraps a port on its way in: how fault harnesses get between the house and the world. */
  readonly wrap?: {
    readonly store?: (store: Store) => Store
    readonly file?: (file: ManagedFile) => ManagedFile
    readonly dns?: (provider: DnsProvider) => DnsProvider
  }
}

export interface House {
  readonly app: App
  readonly engine: Engine
  readonly key: Secret
  /** Where the API key is kept, or null when the environment gave it. */
  readonly key_path: string | null
  readonly routes_path: string
  /** Begins to listen, to tick and to heal. Resolves with the address. */
  open(): Promise<string>
  close(): Promise<void>
}

/** Opens everything but the socket. Throws a Failure that names what is in the way. */
export async function buildHouse(config: LoadedConfig, options: HouseOptions): Promise<House> {
  const { settings } = config
  const lock = holdLock(settings.store.data_dir, options.clock)
  try {
    return await furnish(settings, lock, options)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function furnish(settings: Settings, lock: HeldLock, options: HouseOptions): Promise<House> {
  const { log, clock = systemClock, wrap = {} } = options
  const opened = await openStore({ directory: settings.store.data_dir, log, clock })
  try {
    const store = wrap.store?.(opened) ?? opened
    const plain = managedFile(settings.routes.file, { most_bytes: MOST_ROUTES_BYTES, log })
    const file = wrap.file?.(plain) ?? plain
    return await assemble({ settings, lock, store, file, log, clock, dns_provider: wrap.dns ?? null })
  } catch (error) {
    await opened.close()
    throw error
  }
}

interface Foundation {
  readonly settings: Settings
  readonly lock: HeldLock
  readonly store: Store
  readonly file: ManagedFile
  readonly log: Log
  readonly clock: Clock
  readonly dns_provider: ((provider: DnsProvider) => DnsProvider) | null
}

async function assemble(foundation: Foundation): Promise<House> {
  const { settings, lock, store, file, log, clock } = foundation
  const key_path = settings.http.api_key === null ? join(settings.store.data_dir, 'api-key') : null
  const key = settings.http.api_key ?? (await keyFile(key_path!)).key
  const metrics = createMetrics()
  const routes = routesSettings(settings)
  const dns = dnsRoom({
    settings,
    store,
    clock,
    log,
    ...(foundation.dns_provider && { wrap: foundation.dns_provider }),
    zonesChanged: () => engine.retarget(),
  })
  const targets: Source[] = [routesTarget(routes, file, clock)]
  if (dns.family !== null) targets.unshift(dns.family)
  const engine: Engine = new Engine({
    store,
    targets,
    clock,
    log,
    metrics,
    random: Math.random,
    mode: settings.engine.mode,
    protection: protectionOf(settings, (name) =>
      dns.desk.discovery.zones().some((zone) => zone.name === name),
    ),
  })
  const watch = dnsWatchRoom(foundation)
  const proxy = proxyRoom(settings, routes, clock)
  const deps = operationDeps(foundation, { engine, routes, dns: dns.desk, dns_watch: watch.watch, proxy })
  const { events, background, ddns } = deps
  engine.onRelease(() => events.added())
  engine.onReport((report) => {
    events.report(report)
    if (report.component === 'dns' && report.repaired > 0) watch.watch.integrity.changed()
    judgeRecovered(deps).catch((error: unknown) => log.warn('records not judged', { error }))
  })
  ddns.addresses.onChange(() => dns.family?.changed())
  const access = accessSettings(settings, key)
  const app = buildApp({
    endpoints: endpointsOf(deps, systemParts(store, metrics, clock)),
    access,
    answers: answerMemory(store, clock),
    background,
    admit: null,
    check_replies: false,
    log,
    metrics,
    clock,
  })
  await events.prepare()
  await dns.prepare()
  await engine.prepare()
  await background.prepare()
  await ddns.prepare()
  const server = httpServer({
    app,
    ...settings.http.listen,
    isTrustedProxy: compileAccess(access).isTrustedProxy,
  })
  return {
    app,
    engine,
    key,
    key_path,
    routes_path: file.path,
    ...inOrder({ lock, store, engine, server, settings, events, background, ddns, dns, watch, proxy }),
  }
}

/** Opening and closing, each the other's reverse. */
function inOrder(parts: {
  readonly lock: HeldLock
  readonly store: Store
  readonly engine: Engine
  readonly server: HttpServer
  readonly settings: Settings
  readonly events: EventLog
  readonly background: Background
  readonly ddns: Ddns
  readonly dns: DnsRoom
  readonly watch: DnsWatchRoom
  readonly proxy: ProxyRoom
}): Pick<House, 'open' | 'close'> {
  const { lock, store, engine, server, settings, events, background, ddns, dns, watch, proxy } = parts
  let listening = false
  return {
    async open() {
      const { port } = await server.listen()
      listening = true
      const address = urlOf({ ...settings.http.listen, port })
      lock.announce(address)
      events.note('started', `The daemon listens on ${address}.`, { version: VERSION, address })
      dns.start()
      if (dns.family !== null) watch.watch.integrity.start()
      engine.start()
      ddns.start(address)
      return address
    },
    async close() {
      if (listening) events.note('stopping', 'The daemon was told to stop.')
      await events.end(LAST_EVENTS_MS)
      const drained = listening ? server.stop() : Promise.resolve()
      // Deploys that wait for the proxy are told that nobody will know.
      await proxy.stop()
      await ddns.stop()
      await engine.stop(PATIENCE_MS)
      await background.stop(LAST_OPERATIONS_MS)
      await watch.stop()
      await dns.stop()
      await drained
      await events.end(LAST_EVENTS_MS)
      await store.close()
      lock.release()
    },
  }
}

const urlOf = ({ host, port }: HostPort): string => `http://${hostPort(host, port)}`

/** How long a pass under way may go on after the daemon was told to stop. */
const PATIENCE_MS = 7000
/** The engine has turned everybody away by then: what is left is to write their answers down. */
const LAST_OPERATIONS_MS = 1000
const LAST_EVENTS_MS = 500

const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

function systemParts(store: Store, metrics: ReadableMetrics, clock: Clock) {
  const began_ms = clock.elapsed()
  return {
    version: VERSION,
    uptime: () => (clock.elapsed() - began_ms) / 1000,
    check: async () => void (await store.latestRelease()),
    metrics: async () => {
      await measureStore(store, metrics)
      return { content_type: metrics.content_type, text: await metrics.text() }
    },
  }
}

function operationDeps(
  { settings, store, file, log, clock }: Foundation,
  {
    engine,
    routes,
    dns,
    dns_watch,
    proxy,
  }: Pick<Deps, 'engine' | 'dns' | 'dns_watch'> & {
    readonly routes: RoutesSettings
    readonly proxy: ProxyRoom
  },
): Deps {
  const entrypoint_ports = Object.fromEntries(
    settings.routes.entrypoints.map(({ name, port }) => [name, port]),
  )
  const events = new EventLog({ store, clock, log })
  return {
    store,
    engine,
    events,
    background: new Background({ store, clock, log, events }),
    ddns: dynamicDns({
      ...settings.ddns,
      store,
      events,
      clock,
      log,
      listen_url: urlOf(settings.http.listen),
    }),
    dns,
    dns_watch,
    proxy: proxy.desk,
    backend: proxy.backend,
    certificates: certificatesDesk(settings, clock),
    clock,
    log,
    offer: offerOf(settings, routes),
    render: (intent) => renderRoutes(intent, routes),
    diffRenderings: diffRenderings(file.path),
    public_ip: settings.engine.public_ip,
    entrypoint_ports,
    https_entrypoint: HTTPS_ENTRYPOINT,
    http_entrypoint: HTTP_ENTRYPOINT,
    routes_path: file.path,
    deploy_status: statusFile(join(dirname(file.path), 'deploy-status.json')),
  }
}
