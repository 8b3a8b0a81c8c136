/** Releases: the history of what was deployed, compared and brought back. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { releaseEndpoints } from './endpoints.ts'
import { assertAuthoritiesThere, assertEntrypointsFit } from './settings-fit.ts'

export const releasesFeature = (deps: Deps): Feature => ({
  name: 'releases',
  endpoints: releaseEndpoints(deps),
  // Settings that the released records cannot live with end the start before anything is touched.
  lifecycles: [
    { prepare: () => assertEntrypointsFit(deps) },
    { prepare: () => assertAuthoritiesThere(deps) },
  ],
})
