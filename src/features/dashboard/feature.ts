/** The overview: the installation in one answer, what leads where, and how things are found. */
import type { Feature } from '../../feature/feature.ts'
import { overviewEndpoints } from './endpoints.ts'
import { mapEndpoints } from './map/endpoints.ts'
import type { OverviewDeps } from './read-overview.ts'
import { searchEndpoints } from './search/endpoints.ts'
import type { SearchDeps } from './search/search.ts'

export const dashboardFeature = (
  deps: OverviewDeps,
  { version, settings }: { readonly version: string } & Pick<SearchDeps, 'settings'>,
): Feature => ({
  name: 'dashboard',
  endpoints: [
    ...overviewEndpoints(deps, version),
    ...mapEndpoints(deps),
    ...searchEndpoints({ ...deps, settings: once(settings) }),
  ],
})

/** They are those that the process was started with. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null
  return () => (known ??= read())
}
