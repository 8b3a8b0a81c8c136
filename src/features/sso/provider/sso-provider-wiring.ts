/** From settings to the SSO provider: asked, checked and restarted in one way for all who write its files. */
import { autheliaProvider, byCommand, byNobody, byWatcher, type Restarter } from '../authelia/provider.ts'
import { type Container, dockerContainer } from '../../../io/docker/container.ts'
import { createHttpClient } from '../../../io/http-client/create-client.ts'
import type { RestartSetting } from '../setting-kinds.ts'
import { providerRestart } from './restart.ts'
import type { Settings } from '../../../config/sections.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { ProviderObservation } from './observation.ts'
import { Restarts } from './restarts.ts'
import type { SharedRestarts, SsoProvider } from '../../../ports/sso-provider.ts'
import type { Store } from '../../../ports/store.ts'
import type { Module } from '../../../feature/feature.ts'

export interface ProviderModule extends Module {
  readonly provider: SsoProvider
  readonly observation: ProviderObservation
  readonly restarts: SharedRestarts
  readonly restart_gap_ms: Milliseconds
  /** Whether the provider has to be restarted for its users, too. */
  readonly for_users: boolean
}

export interface ProviderParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
}

/** Throws `bad_configuration`. */
export function providerModule({ settings, store, clock }: ProviderParts): ProviderModule {
  const { sso, routes } = settings
  const { restart, for_users } = providerRestart(settings)
  const { restarter, container } = restarterOf(restart, clock)
  const http = createHttpClient({ clock })
  const health_url = sso.health_url ?? new URL('/api/health', routes.sso_url).href
  const provider = autheliaProvider({ health_url, check: sso.check, restarter, http })
  const gap_ms = sso.restart_gap * 1000
  const reachable = sso.rules_file !== null || sso.health_url !== null
  const restarts = new Restarts({ provider, store, clock, gap_ms, reachable })
  return {
    provider,
    observation: new ProviderObservation({ provider, clock }),
    restarts,
    restart_gap_ms: gap_ms,
    for_users,
    stop: async () => restarts.stop(),
    async close() {
      await restarts.close()
      await container?.close()
      await http.close()
    },
  }
}

const DOCKER_SOCKET = '/var/run/docker.sock'

function restarterOf(
  restart: RestartSetting,
  clock: Clock,
): { readonly restarter: Restarter; readonly container: Container | null } {
  switch (restart.way) {
    case 'command':
      return { restarter: byCommand(restart.command), container: null }
    case 'docker': {
      const container = dockerContainer(restart.container, DOCKER_SOCKET)
      return { restarter: { way: 'docker', ...container }, container }
    }
    case 'watched':
      return { restarter: byWatcher(clock), container: null }
    case 'none':
      return { restarter: byNobody, container: null }
  }
}
