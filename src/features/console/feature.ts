/** The console: its page, and who may sign in to it. */
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import { bundlesOf } from './bundler/bundles.ts'
import { pageEndpoints } from './page-endpoints.ts'
import { type SessionDoor, sessionEndpoints } from './session-endpoints.ts'

export function consoleFeature(core: Pick<Core, 'clock' | 'log'>, door: SessionDoor): Feature {
  const bundles = bundlesOf(core)
  return {
    name: 'console',
    endpoints: [...sessionEndpoints(door), ...pageEndpoints(bundles)],
    lifecycles: [door.registry, bundles],
  }
}
