/** Domains: the records of what is public, and what may be done with each. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { changingEndpoints } from './api/change-endpoints.ts'
import { readingEndpoints } from './api/endpoints.ts'
import type { CommitHooks } from '../../core/commit/hooks.ts'
import type { KnownCauses } from './read.ts'
import { editionEndpoints } from './editions/endpoints.ts'
import { endedWarnings } from './backend/ended.ts'
import { tellsOfSaves } from './saved-event.ts'

export const domainsFeature = (deps: Deps, lamps: KnownCauses): Feature => ({
  name: 'domains',
  hooks: domainsHooks(deps),
  endpoints: [
    ...readingEndpoints({ ...deps, ...lamps }),
    ...changingEndpoints(deps),
    ...editionEndpoints(deps),
  ],
})

/** What saving or deploying a record remarks on, and who hears of it. */
const domainsHooks = (deps: Pick<Deps, 'backend' | 'clock' | 'events'>): CommitHooks => ({
  warnings: async (records) => endedWarnings(deps, records),
  ended: tellsOfSaves(deps),
})
