/** What the verbs of certificates are given. */
import type { Caller } from '../../core/caller.ts'
import type { CoreParts } from '../../core/parts.ts'
import type { DnsService } from '../dns/service.ts'
import type { Plan } from '../../model/plan.ts'
import type { Entrypoints } from '../../ports/entrypoints.ts'
import type { CertificateService } from './service.ts'

export interface Deps extends CoreParts, Entrypoints {
  readonly certificates: CertificateService
  readonly dns: DnsService
}

export interface PlanningDeps extends Deps {
  /** What bringing a component back to what is released would do, as it is now. */
  readonly repairPlanOf: (component: string, caller: Caller) => Promise<Plan>
}
