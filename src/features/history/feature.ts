/** The history: how the looks at each domain came out over the last day. */
import type { Feature } from '../../feature/feature.ts'
import type { Deps } from './deps.ts'
import { historyEndpoints } from './endpoints.ts'

export const historyFeature = (deps: Deps): Feature => ({
  name: 'history',
  endpoints: historyEndpoints(deps),
  lifecycles: [deps.history],
})
