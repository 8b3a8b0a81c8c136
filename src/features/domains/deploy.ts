/** Releases one record's saved edits and nothing else, and brings every component to it. */
import { type DeploymentResult, type PlannedAnswer, planned } from '../../core/answers.ts'
import { failuresAudited } from '../../core/audit/failed.ts'
import { commit } from '../../core/commit/commit.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deps } from './deps.ts'
import { workOfDomain } from './editions/deploy-work.ts'

export async function deployDomain(
  deps: Deps,
  domain_id: number,
  caller: Caller,
): Promise<DeploymentResult | PlannedAnswer> {
  const committed = await commit(deps, caller, workOfDomain(domain_id, caller))
  if (committed.planned) return planned(committed.plan)
  const { result, head, warnings, renamed } = committed
  return failuresAudited(deps, { caller, action: 'deploy', domain_id }, () =>
    deps.deploy({
      ...result,
      head,
      warnings,
      renamed,
      direction: 'open',
      about: 'one',
      progress: caller.progress,
    }),
  )
}
