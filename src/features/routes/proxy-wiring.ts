/** From settings to what operations know of the proxy and of backends. */
import { dirname } from 'node:path'
import { networkInterfaces } from 'node:os'
import { backendProbe } from '../domains/backend/probe/backend-probe.ts'
import { readYamlAside } from '../../io/yaml/aside.ts'
import type { Settings } from '../../config/sections.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { BackendService } from '../domains/backend/service.ts'
import { ProbeGate } from '../domains/backend/probe-gate.ts'
import { ownMarks } from '../domains/backend/vetted.ts'
import type { SearchableProxy } from './traefik/port.ts'
import { withoutSecrets } from './traefik/shown.ts'
import { staticEntrypoints } from './traefik-static-wiring.ts'
import { proxyLine, trafficLine } from './traefik-wiring.ts'
import type { Module } from '../../feature/feature.ts'
import { definersOf } from './proxy/shadow/definers.ts'
import { neighbours } from './folder/neighbours.ts'
import type { ManagedFile } from '../../ports/files.ts'
import { broughtBy } from './folder/brought.ts'
import type { BroughtCertificate, Neighbours } from './folder/port.ts'
import { treeAside } from './routes-folder-wiring.ts'
import type { RoutingService } from './proxy/service.ts'
import { generatedEntry } from './proxy/generated.ts'
import { markerOnDisk } from './loaded/marker-on-disk.ts'
import { ProxyWatch } from './loaded/watch.ts'
import { catalogue } from './middlewares/catalogue.ts'
import { doorsOf } from './render/doors.ts'
import { domainOfShown, routerNames } from './render/entry.ts'
import { extraName, GENERATION_MARK } from './render/names.ts'
import type { RoutesSettings, Version } from './render/settings.ts'
import type { ReleasedRoutes } from './target/released.ts'
import { readTheirs } from './theirs/read-theirs.ts'

export interface ProxyModule extends Module {
  /** Null where no API of the proxy is set. */
  readonly api: SearchableProxy | null
  readonly service: RoutingService
  readonly backend: BackendService
}

export interface ProxyModuleParts {
  readonly settings: Settings
  readonly routes: RoutesSettings
  readonly clock: Clock
  readonly released: ReleasedRoutes
  readonly file: ManagedFile
}

export function proxyModule({ settings, routes, clock, released, file }: ProxyModuleParts): ProxyModule {
  const others = neighbours({ folder: dirname(file.path), ours: [file.path] })
  const line = proxyLine(settings, clock)
  const api = line?.api ?? null
  const traffic = trafficLine(settings, clock)
  const watch = api === null ? null : new ProxyWatch(api, { clock, marker_prefix: GENERATION_MARK })
  return {
    api,
    service: serviceOf(routes, {
      watch,
      readTraffic: traffic?.read ?? null,
      released,
      others,
      file,
      static_entrypoints: staticEntrypoints(settings),
    }),
    backend: {
      probe: backendProbe(),
      gate: new ProbeGate(clock),
      own: ownPlaces(settings),
      here,
      authorities: routes.backend_authorities,
    },
    // Deploys that wait for the proxy are told that nobody will know.
    stop: async () => watch?.close(),
    close: async () => {
      await traffic?.close()
      await line?.close()
    },
  }
}

const serviceOf = (
  routes: RoutesSettings,
  {
    watch,
    readTraffic,
    released,
    others,
    file,
    static_entrypoints,
  }: Pick<RoutingService, 'watch' | 'readTraffic' | 'released' | 'static_entrypoints'> & {
    readonly others: Neighbours
    readonly file: ManagedFile
  },
): RoutingService => ({
  watch,
  readTraffic,
  static_entrypoints,
  written_for: dotted(routes.traefik_version),
  marker_prefix: GENERATION_MARK,
  released,
  markerOnDisk: markerOnDisk(file),
  routerNames,
  domainOfShown,
  definers: (items, signal) => definers(others, items, signal),
  broughtCertificates: (signal) => broughtCertificates(others, signal),
  entryOf: (row) => generatedEntry(row, routes),
  theirsOf: async (of, signal) =>
    readTheirs({ settings: routes, read: readYamlAside }, { ...of, look: await file.look(signal) }, signal),
  doorsOf: (row) => doorsOf(row, routes),
  isOurSignIn: (address) => address === withoutSecrets(routes.sso_forward_auth_url),
  catalogueName: extraName,
  catalogue: catalogue(routes).map(({ name, own, description, position, type, unfit_for, since }) => ({
    name,
    own,
    description,
    position,
    type,
    unfit_for,
    since: dotted(since),
  })),
})

async function definers(
  others: Neighbours,
  items: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  try {
    return await definersOf(items, (await others.list(signal)).found, { read: readYamlAside, signal })
  } catch (error) {
    if (error instanceof Failure && !signal.aborted) return new Map()
    throw error
  }
}

async function broughtCertificates(
  others: Neighbours,
  signal: AbortSignal,
): Promise<readonly BroughtCertificate[]> {
  try {
    return await broughtBy((await others.list(signal)).found, (file, text) => treeAside(file, text, signal))
  } catch (error) {
    if (error instanceof Failure && !signal.aborted) return []
    throw error
  }
}

const dotted = (version: Version): string => version.join('.')

const here = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))

function ownPlaces({ http, routes }: Settings): ReadonlySet<string> {
  const places = [http.listen]
  if (routes.traefik_api !== null) {
    const { hostname, port, protocol } = new URL(routes.traefik_api)
    const host = hostname.replace(/^\[|\]$/g, '')
    places.push({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
  }
  return new Set(places.flatMap(ownMarks))
}
