/** The overview: the installation in one answer. */
import type { Feature } from '../../core/feature.ts'
import type { Deps } from './deps.ts'
import { overviewEndpoints } from './endpoints.ts'

export const dashboardFeature = (deps: Deps, { version }: { readonly version: string }): Feature => ({
  name: 'dashboard',
  endpoints: overviewEndpoints(deps, version),
})
