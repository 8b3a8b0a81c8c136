/** Domains: the records of what is public, and what may be done with each. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../core/feature.ts'
import { domainsHooks } from './commit-hooks.ts'
import { changingEndpoints } from './api/change-endpoints.ts'
import { readingEndpoints } from './api/endpoints.ts'

export const domainsFeature = (deps: Deps): Feature => ({
  name: 'domains',
  hooks: domainsHooks(deps),
  endpoints: [...readingEndpoints(deps), ...changingEndpoints(deps)],
})
