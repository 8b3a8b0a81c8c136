/** Deploying: from saved to released to proven, in one step or by a plan that waits. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { InterruptedActivations } from './activation.ts'
import { deployEndpoints } from './endpoints.ts'
import { markRecovered } from './record-status.ts'
import { planEndpoints } from './plans/endpoints.ts'
import { resumeRenames } from './names/renames.ts'
import { settleRenames } from './names/unserved.ts'
import { markRejected } from './stages/served-after.ts'
import type { RecordStatuses } from '../routes/loaded/record-statuses.ts'

export function deployFeature(deps: Deps): Feature {
  const interrupted = new InterruptedActivations(deps)
  return {
    name: 'deploy',
    endpoints: [...deployEndpoints(deps), ...planEndpoints(deps)],
    lifecycles: [interrupted, { start: () => void resumeRenames(deps, interrupted.renames()) }],
    reported() {
      interrupted
        .settle()
        .then(() => markRecovered(deps))
        .catch((error: unknown) => deps.log.warn('records not judged', { error }))
    },
  }
}

/** For whoever watches the proxy. */
export const recordStatuses = (deps: Deps): RecordStatuses => ({
  settleRenames: (head, rejected) => settleRenames(deps, head, rejected),
  markRejected: (rejected) => markRejected(deps, rejected),
  markRecovered: () => markRecovered(deps),
})
