/** Health: one verdict over everything that is kept true and everything that is needed for it. */
import type { Deps } from './deps.ts'
import type { Feature } from '../../feature/feature.ts'
import { ruleFindings } from './findings.ts'
import { healthEndpoints } from './endpoints.ts'
import type { HealthModule } from './health-wiring.ts'

export const healthFeature = (deps: Deps, module: HealthModule): Feature => ({
  name: 'health',
  endpoints: healthEndpoints(deps),
  findings: ruleFindings(module.service.invariants),
  lifecycles: [module],
})
