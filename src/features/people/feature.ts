/** People: the users file of the SSO provider, invitations and passwords. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { usersCheck } from './checks.ts'
import { userEndpoints } from './endpoints.ts'
import type { PeopleModule } from './people-wiring.ts'

export const peopleFeature = (deps: Deps, module: PeopleModule): Feature => ({
  name: 'people',
  endpoints: userEndpoints(deps),
  checks: [usersCheck(deps)],
  lifecycles: [module],
})
