/** From settings to the proof that protected routes are closed. */
import { forwardAuthProbe } from './adapters/http-client/forward-auth-probe.ts'
import { proxyProbe } from './adapters/http-client/sso-probe.ts'
import type { Settings } from './config/sections.ts'
import type { Source } from './engine/components.ts'
import type { Clock } from './kernel/clock.ts'
import { hostPort } from './model/address.ts'
import { isOpenPath } from './model/access/open-paths.ts'
import type { Intent } from './model/intent.ts'
import type { Report } from './model/report.ts'
import type { ProofDesk } from './operations/sso/desk.ts'
import type { HttpClient } from './ports/http-client.ts'
import { type Door, schemeOf } from './ports/sso-probe.ts'
import type { Store } from './ports/store.ts'
import { catalogue } from './targets/routes/catalogue.ts'
import { openPathsOf } from './targets/routes/open-routers.ts'
import type { RoutesSettings } from './targets/routes/settings.ts'
import { type ProofSettings, provability } from './targets/sso-proof/provable.ts'
import { Rounds } from './targets/sso-proof/rounds.ts'
import { proofTarget } from './targets/sso-proof/target.ts'

export interface ProofRoom {
  readonly target: Source
  readonly desk: ProofDesk
  /** A pass was made: where it wrote routes, they are asked again. */
  told(report: Report): void
  close(): Promise<void>
}

export interface ProofRoomParts {
  readonly settings: Settings
  readonly routes: RoutesSettings
  readonly store: Store
  readonly clock: Clock
  readonly http: HttpClient
  readonly takenOut: () => Promise<void>
}

/** Null where no door of the proxy is set. */
export function proofRoom(parts: ProofRoomParts): ProofRoom | null {
  const { settings, routes, store, clock, http, takenOut } = parts
  const doors = doorsOf(settings)
  if (doors.size === 0) return null
  const probe = proxyProbe(doors)
  const rounds = new Rounds({ probe, provider: forwardAuthProbe(routes.sso_forward_auth_url, http), clock })
  const hints = new Set<() => void>()
  const about = proofSettings(doors, routes)
  const found = (intent: Intent) => provability(intent, about)
  const target = proofTarget({
    rounds,
    place: [...doors].map(([door, place]) => `${schemeOf(door)}://${place}`).join(' and '),
    routesOf: (intent) => found(intent).routes,
    store,
    clock,
    quarantine: settings.sso.quarantine === 'on',
    takenOut,
    watch(hint) {
      hints.add(hint)
      return { close: () => void hints.delete(hint) }
    },
  })
  return {
    target,
    desk: { last: () => rounds.last(), notProvable: (intent) => found(intent).not_provable },
    told({ component, repaired }) {
      if (repaired > 0 && (component === 'routes' || component === 'sso')) for (const hint of hints) hint()
    },
    close: () => probe.close(),
  }
}

function doorsOf({ sso: { probe, probe_http } }: Settings): ReadonlyMap<Door, string> {
  const doors = new Map<Door, string>()
  if (probe !== null) doors.set('tls', hostPort(probe.host, probe.port))
  if (probe_http !== null) doors.set('plain', hostPort(probe_http.host, probe_http.port))
  return doors
}

const BY_ADDRESS: ReadonlySet<string> = new Set(['ipAllowList', 'ipWhiteList'])

function proofSettings(doors: ReadonlyMap<Door, string>, routes: RoutesSettings): ProofSettings {
  const openPaths = openPathsOf(routes)
  return {
    doors: new Set(doors.keys()),
    isOpenPath(fields, path) {
      const found = openPaths(fields)
      return found !== null && found.hindered_by === null && isOpenPath(found.paths, path)
    },
    by_address: new Set(
      catalogue(routes)
        .filter(({ type, position }) => position === 'before_sso' && BY_ADDRESS.has(type))
        .map(({ name }) => name),
    ),
  }
}
