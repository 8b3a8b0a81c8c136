/** What a plan is about, and the work that applying it does. */
import type { CoreParts } from '../../../core/parts.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { PlanScope } from '../../../model/plan.ts'
import type { Work } from '../../../core/commit/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { workOfRecords } from '../../domains/editions/work-of-records.ts'
import { type Deployable, workOfAll, workOfDomain } from '../../domains/editions/deploy-work.ts'

export function workOf(deps: Pick<CoreParts, 'offer'>, scope: PlanScope, caller: Caller): Work<Deployable> {
  switch (scope.kind) {
    case 'all':
      return workOfAll
    case 'domain':
      return workOfDomain(scope.domain_id, caller)
    case 'records':
      return workOfRecords(deps, scope)
    case 'component':
      return repairOf(scope.component)
    case 'call':
      throw new Failure('internal', 'a call is planned and applied in one breath; it has no work of its own')
  }
}

/** Nothing moves: the world is brought back to what is released. */
const repairOf =
  (component: string): Work<Deployable> =>
  async () => ({
    result: { domain_ids: [], message: `Repaired ${component}.` },
    audit: [
      {
        action: 'repair',
        domain_id: null,
        domain: null,
        revision_before: null,
        revision_after: null,
        detail: { component },
      },
    ],
    release: null,
    reach: { records: 'all', component },
    reason: `repair ${component}`,
    warnings: [],
  })

/** Throws `not_found` for a component that there is not. */
export function assertComponent(deps: CoreParts, component: string): void {
  const known = deps.engine.applyOrder()
  if (!known.includes(component))
    throw new Failure('not_found', `There is no component "${component}"; there is ${known.join(', ')}.`)
}
