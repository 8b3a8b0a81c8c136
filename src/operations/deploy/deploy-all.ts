/** Releases everything that is active, with every saved edit, and brings all components to it. */
import { pendingBetween } from '../../engine/editions.ts'
import type { DeploymentResult, PlannedAnswer } from '../answers.ts'
import { planned } from '../answers.ts'
import { commit } from '../commit.ts'
import type { Caller, Deps } from '../deps.ts'
import { deployment } from './deployment.ts'
import { keepDeployStatus } from './deploy-status.ts'

/** Also what `deploy-proxy` does: a route without its lock must not exist, so no component is left out. */
export async function deployAll(deps: Deps, caller: Caller): Promise<DeploymentResult | PlannedAnswer> {
  const committed = await commit(deps, caller, async (tx) => {
    const rows = pendingBetween(await tx.intent('working'), await tx.intent('released'))
    return {
      result: rows.map((row) => row.domain_id),
      audit: [audited(rows.length)],
      release: rows,
      reason: 'deploy all',
      warnings: [],
    }
  })
  if (committed.planned) return planned(committed.plan)
  const { head, warnings, result } = committed
  const message = `Deployed all active domains; ${result.length} changed.`
  return keepDeployStatus(deps, () =>
    deployment(deps, { head, warnings, domain_ids: result, direction: 'open', message }),
  )
}

const audited = (rows: number) => ({
  action: 'deploy_all',
  domain_id: null,
  domain: null,
  revision_before: null,
  revision_after: null,
  detail: { rows },
})
