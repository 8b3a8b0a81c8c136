/** Releases one record's saved edits and nothing else, and brings every component to it. */
import { Failure } from '../../kernel/failure.ts'
import { isLive } from '../../model/domain.ts'
import { rowOf } from '../../model/intent.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../answers.ts'
import { commit } from '../commit.ts'
import type { Caller, Deps } from '../deps.ts'
import { deployment } from '../deploy/deployment.ts'
import { findUnchanged } from './find.ts'

export async function deployDomain(
  deps: Deps,
  domain_id: number,
  caller: Caller,
): Promise<DeploymentResult | PlannedAnswer> {
  const committed = await commit(deps, caller, async (tx) => {
    const record = await findUnchanged(tx, domain_id, caller)
    if (!isLive(record))
      throw new Failure(
        'conflict',
        `${record.domain} is ${record.status}; only an active domain can be deployed.`,
      )
    const audit = {
      action: 'deploy',
      domain_id,
      domain: record.domain,
      revision_before: record.revision,
      revision_after: record.revision,
    }
    return {
      result: record,
      audit: [audit],
      release: [{ domain_id, row: rowOf(record) }],
      reason: `deploy ${record.domain}`,
      warnings: [],
    }
  })
  if (committed.planned) return planned(committed.plan)
  const { result: record, head, warnings } = committed
  const message = `Deployed ${record.domain}.`
  return deployment(deps, { message, domain_ids: [domain_id], head, warnings, direction: 'open' })
}
