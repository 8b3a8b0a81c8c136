/** From settings to the proof that protected routes are closed. */
import { forwardAuthProbe } from './probe/forward-auth-probe.ts'
import { proxyProbe } from './probe/sso-probe.ts'
import type { Settings } from '../../config/sections.ts'
import type { Source } from '../../engine/components.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { hostPort } from '../../model/network/address.ts'
import { isOpenPath } from '../../model/access/open-paths.ts'
import type { Intent } from '../../model/intent.ts'
import type { Report } from '../../model/report.ts'
import type { ProofService } from './service.ts'
import { MarkerSeen } from '../routes/loaded/marker-seen.ts'
import { takersAt } from '../routes/loaded/takers.ts'
import type { HttpClient } from '../../ports/http-client.ts'
import type { SearchableProxy } from '../routes/traefik/port.ts'
import { type Door, schemeOf } from './probe-port.ts'
import type { Store } from '../../ports/store.ts'
import { catalogue } from '../routes/middlewares/catalogue.ts'
import { domainOfShown } from '../routes/render/entry.ts'
import { releasedRoutes } from '../routes/target/released.ts'
import { GENERATION_MARK } from '../routes/render/names.ts'
import { openPathsOf } from '../routes/opens/open-routers.ts'
import type { RoutesSettings } from '../routes/render/settings.ts'
import { type ProofSettings, provability } from './proof/provable.ts'
import { Rounds } from './proof/rounds.ts'
import { notOurs, observedByNow, proofTarget } from './proof/target.ts'

export interface ProofModule {
  readonly target: Source
  readonly service: ProofService
  /** A pass was made: where it wrote routes, they are asked again. */
  reported(report: Report): void
  close(): Promise<void>
}

export interface ProofModuleParts {
  readonly settings: Settings
  readonly routes: RoutesSettings
  readonly store: Store
  readonly clock: Clock
  readonly http: HttpClient
  readonly log: Log
  /** Null where no API of the proxy is set. */
  readonly proxy: SearchableProxy | null
  readonly takenOut: () => Promise<void>
}

/** How often it is looked whether a route is due: none waits longer for its turn. */
const LOOKS_EVERY_MS: Milliseconds = 1_000

/** Null where no door of the proxy is set. */
export function proofModule(parts: ProofModuleParts): ProofModule | null {
  const { settings, routes, store, clock, http, proxy, takenOut } = parts
  const doors = doorsOf(settings)
  if (doors.size === 0) return null
  const probe = proxyProbe(doors)
  const rounds = new Rounds({ probe, provider: forwardAuthProbe(routes.sso_forward_auth_url, http), clock })
  const hints = new Set<() => void>()
  const askAnew = () => {
    rounds.invalidate()
    hints.forEach((hint) => hint())
  }
  const marker = markerSeen(parts, (is_new) => {
    if (is_new) rounds.loaded()
    askAnew()
  })
  const takers = takersAt(proxy, domainOfShown)
  const about = proofSettings(doors, routes)
  const found = (intent: Intent) => provability(intent, about)
  const routesOf = (intent: Intent) => found(intent).routes
  const place = [...doors].map(([door, at]) => `${schemeOf(door)}://${at}`).join(' and ')
  const target = proofTarget({
    rounds,
    place,
    routesOf,
    store,
    clock,
    quarantine: settings.sso.quarantine === 'on',
    takenOut,
    takers,
    watch(hint) {
      hints.add(hint)
      const timer = hintingWhenDue(rounds, hint)
      return {
        close() {
          clearInterval(timer)
          hints.delete(hint)
        },
      }
    },
  })
  return {
    target,
    service: {
      last: () => rounds.last(),
      now({ intent, domains, ...options }, signal) {
        const { routes: all } = found(intent)
        return rounds.now(
          domains === null ? all : all.filter(({ domain }) => domains.has(domain)),
          options,
          signal,
        )
      },
      observed: () => observedByNow({ rounds, store, clock, routesOf, place }),
      runs: () => rounds.runs(),
      notProvable: (intent) => found(intent).not_provable,
      notClosable: (domain) => notOurs(takers.of(domain)),
    },
    reported({ component, repaired }) {
      if (repaired === 0 || (component !== 'routes' && component !== 'sso')) return
      if (component === 'routes') rounds.written()
      // Before the proxy has loaded the file its answers would be those to the earlier one.
      if (component === 'routes' && marker !== null) marker.written()
      else askAnew()
    },
    async close() {
      await marker?.close()
      rounds.close()
      await probe.close()
    },
  }
}

/** Null where no API of the proxy is set. */
function markerSeen(
  { routes, store, clock, log, proxy }: ProofModuleParts,
  shown: (is_new: boolean) => void,
): MarkerSeen | null {
  if (proxy === null) return null
  const released = releasedRoutes(store, routes)
  const newest = () => released.marker()
  return new MarkerSeen({ api: proxy, clock, log, prefix: GENERATION_MARK, newest, shown })
}

/** Once for each round that has ended. */
function hintingWhenDue(rounds: Rounds, hint: () => void): NodeJS.Timeout {
  let hinted_at = -1
  return setInterval(() => {
    const ended = rounds.rounds
    // Where nobody was asked since, nobody may ask now (suspended), or the proxy does not answer: the engine has its own pauses.
    if (ended === hinted_at || rounds.isUnreachable() || rounds.glance() !== null) return
    hinted_at = ended
    hint()
  }, LOOKS_EVERY_MS).unref()
}

function doorsOf({ sso: { probe, probe_http } }: Settings): ReadonlyMap<Door, string> {
  const doors = new Map<Door, string>()
  if (probe !== null) doors.set('tls', hostPort(probe.host, probe.port))
  if (probe_http !== null) doors.set('plain', hostPort(probe_http.host, probe_http.port))
  return doors
}

const BY_ADDRESS: ReadonlySet<string> = new Set(['ipAllowList', 'ipWhiteList'])
const BY_OWN_CHECK: ReadonlySet<string> = new Set([
  'basicAuth',
  'chain',
  'digestAuth',
  'forwardAuth',
  'plugin',
])

function proofSettings(doors: ReadonlyMap<Door, string>, routes: RoutesSettings): ProofSettings {
  const openPaths = openPathsOf(routes)
  const early = catalogue(routes).filter(({ position }) => position === 'before_sso')
  const namesOf = (types: ReadonlySet<string>): ReadonlySet<string> =>
    new Set(early.filter(({ type }) => types.has(type)).map(({ name }) => name))
  return {
    doors: new Set(doors.keys()),
    isOpenPath(fields, path) {
      const found = openPaths(fields)
      return found !== null && found.hindered_by === null && isOpenPath(found.paths, path)
    },
    by_address: namesOf(BY_ADDRESS),
    by_own_check: namesOf(BY_OWN_CHECK),
  }
}
