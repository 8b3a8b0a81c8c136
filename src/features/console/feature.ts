/** The console: its page, and who may sign in to it. */
import { commit } from '../../core/commit/commit.ts'
import type { CoreParts } from '../../core/parts.ts'
import type { Feature } from '../../feature/feature.ts'
import { bundlesOf } from './bundler/bundles.ts'
import { pageEndpoints } from './page-endpoints.ts'
import { type SessionDoor, sessionEndpoints } from './session-endpoints.ts'

export function consoleFeature(deps: CoreParts, door: SessionDoor): Feature {
  const bundles = bundlesOf(deps)
  return {
    name: 'console',
    endpoints: [
      ...sessionEndpoints({ ...door, commit: (caller, work) => commit(deps, caller, work) }),
      ...pageEndpoints(bundles),
    ],
    lifecycles: [door.registry, bundles],
  }
}
