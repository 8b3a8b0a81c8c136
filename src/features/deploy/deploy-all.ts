/** Releases everything that is active, with every saved edit, and brings all components to it. */
import type { DeploymentResult, PlannedAnswer } from '../../core/answers.ts'
import { planned } from '../../core/answers.ts'
import { commit } from '../../core/commit/commit.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deps } from './deps.ts'
import { keepDeployStatus } from './deploy-status.ts'
import { but, workOfAll } from './work.ts'

export async function deployAll(deps: Deps, caller: Caller): Promise<DeploymentResult | PlannedAnswer> {
  const committed = await commit(deps, caller, workOfAll)
  if (committed.planned) return planned(committed.plan)
  const { head, warnings, refused, renamed } = committed
  const result = but(committed.result, refused)
  return keepDeployStatus(deps, 'deploy-all', () =>
    deps.deploy({
      ...result,
      head,
      warnings,
      refused,
      renamed,
      direction: 'open',
      whole: true,
      progress: caller.progress,
    }),
  )
}
