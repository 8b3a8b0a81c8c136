/** Keys of the API, and how old every credential is. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { credentialsCheck } from './credentials/check.ts'
import { credentialFindings } from './credentials/findings.ts'
import { credentialEndpoints } from './credentials/endpoints.ts'
import { keyEndpoints } from './endpoints.ts'

export const keysFeature = (deps: Deps): Feature => ({
  name: 'keys',
  endpoints: [...keyEndpoints(deps), ...credentialEndpoints(deps)],
  checks: [credentialsCheck(deps)],
  findings: credentialFindings(deps),
  lifecycles: [deps.keys.ring, deps.keys.foreign],
})
