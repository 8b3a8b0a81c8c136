/** Explaining: why a record is as it is, in one answer. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { checkEndpoints } from './check/endpoints.ts'
import { ignoredEndpoints } from './ignored/endpoints.ts'
import { explainEndpoints } from './endpoints.ts'
import { theirsEndpoints } from './theirs/endpoints.ts'

export const explainFeature = (deps: Deps): Feature => ({
  name: 'explain',
  endpoints: [
    ...explainEndpoints(deps),
    ...ignoredEndpoints(deps),
    ...theirsEndpoints(deps),
    ...checkEndpoints(deps),
  ],
  lifecycles: [deps.ignored],
})
