/** Routes: the proxy's file, what the proxy has loaded of it, and who else speaks for our names. */
import { isGood } from '../../model/report.ts'
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { routesHooks } from './commit-hooks.ts'
import type { HealthCheck } from '../../core/check.ts'
import { proxyCheck } from './checks.ts'
import { ROUTES_KEY } from './target/diff.ts'
import { proxyEndpoints } from './endpoints.ts'
import { LoadedWatch } from './loaded/loaded-watch.ts'
import { ObservationWatch } from './loaded/observation-watch.ts'
import type { RecordStatuses } from './loaded/record-statuses.ts'
import type { ProxyModule } from './proxy-wiring.ts'

interface Given {
  /** Looks at the other files beside ours. */
  readonly folder: HealthCheck
  readonly statuses: RecordStatuses
}

export function routesFeature(deps: Deps, module: ProxyModule, { folder, statuses }: Given): Feature {
  const loaded = new LoadedWatch(deps, statuses)
  return {
    name: 'routes',
    hooks: routesHooks(deps),
    endpoints: proxyEndpoints(deps),
    checks: [proxyCheck(deps), folder],
    lifecycles: [module, loaded, new ObservationWatch(deps, statuses), { start: () => tellPage(deps) }],
    released: () => loaded.changed(),
  }
}

/** What is seen of the proxy meanwhile is on the status page at once, and so is that it cannot run what was not written. */
function tellPage({ proxy, health, engine }: Pick<Deps, 'proxy' | 'health' | 'engine'>): void {
  if (proxy.watch === null) return
  proxy.watch.onObserved(() => void health.rounds.look('proxy'))
  engine.onReport((report) => {
    if (report.key === ROUTES_KEY && !isGood(report)) void health.rounds.look('proxy')
  })
}
