/** From settings to the proof that protected routes are closed. */
import { proxyProbe } from './adapters/http-client/sso-probe.ts'
import type { HostPort } from './config/kinds/network.ts'
import type { Settings } from './config/sections.ts'
import type { Source } from './engine/components.ts'
import type { Clock } from './kernel/clock.ts'
import { hostPort } from './model/address.ts'
import { sampleHost } from './model/access/hosts.ts'
import type { Intent } from './model/intent.ts'
import type { Report } from './model/report.ts'
import type { Store } from './ports/store.ts'
import { isProtected, type SsoSettings } from './targets/sso/desire.ts'
import { type ProvenRoute, Rounds } from './targets/sso-proof/rounds.ts'
import { proofTarget } from './targets/sso-proof/target.ts'

export interface ProofRoom {
  readonly target: Source
  readonly rounds: Rounds
  /** A pass was made: where it wrote routes, they are asked again. */
  told(report: Report): void
  close(): Promise<void>
}

export interface ProofRoomParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly site: SsoSettings
  readonly takenOut: () => Promise<void>
}

export function proofRoom(parts: ProofRoomParts, address: HostPort): ProofRoom {
  const { settings, store, clock, site, takenOut } = parts
  const place = hostPort(address.host, address.port)
  const probe = proxyProbe(`https://${place}`)
  const rounds = new Rounds({ probe, clock })
  const hints = new Set<() => void>()
  const target = proofTarget({
    rounds,
    place,
    routesOf: (intent) => provenRoutes(intent, site),
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
    rounds,
    told({ component, repaired }) {
      if (repaired > 0 && (component === 'routes' || component === 'sso')) for (const hint of hints) hint()
    },
    close: () => probe.close(),
  }
}

/** Only what is served over TLS: the SSO provider refuses anything else, whoever asks. */
function provenRoutes(intent: Intent, { policies }: SsoSettings): readonly ProvenRoute[] {
  return intent.rows
    .filter(({ live, fields }) => live && isProtected(fields) && fields.ssl_enabled)
    .flatMap(({ domain_id, fields: { domain } }) => {
      const path = closedPath(policies.get(domain)?.bypass ?? [])
      return path === null ? [] : [{ domain, domain_id, host: sampleHost(domain), path }]
    })
}

/** A path that the policy opens to nobody; null where it opens all of them. */
const closedPath = (bypass: readonly string[]): string | null => (bypass.includes('/') ? null : '/')
