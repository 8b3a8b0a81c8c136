/** Routes: the proxy's file, what the proxy has loaded of it, and who else speaks for our names. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../core/feature.ts'
import { routesHooks } from './commit-hooks.ts'
import type { HealthCheck } from '../../core/check.ts'
import { proxyCheck } from './checks.ts'
import { proxyEndpoints } from './endpoints.ts'
import { LoadedWatch } from './loaded/loaded-watch.ts'
import { ObservationWatch } from './loaded/observation-watch.ts'
import type { ProxyModule } from './proxy-wiring.ts'

/** @param folder looks at the other files beside ours */
export function routesFeature(deps: Deps, module: ProxyModule, folder: HealthCheck): Feature {
  const loaded = new LoadedWatch(deps)
  return {
    name: 'routes',
    hooks: routesHooks(deps),
    endpoints: proxyEndpoints(deps),
    checks: [proxyCheck(deps), folder],
    lifecycles: [module, loaded, new ObservationWatch(deps), { start: () => tellPage(deps) }],
    released: () => loaded.changed(),
  }
}

/** What is seen of the proxy meanwhile is on the status page at once. */
function tellPage({ proxy, health }: Pick<Deps, 'proxy' | 'health'>): void {
  proxy.watch?.onObserved(() => void health.rounds.look('proxy'))
}
