/** Deletes a record: its route goes, what we own of it elsewhere goes, the audit trail stays. */
import { rowOf } from '../../model/intent.ts'
import { type PlannedAnswer, planned, type SuccessAnswer } from '../answers.ts'
import { commit } from '../commit.ts'
import type { Caller, Deps } from '../deps.ts'
import { deployment } from '../deploy/deployment.ts'
import { findUnchanged } from './find.ts'

export async function removeDomain(
  deps: Deps,
  domain_id: number,
  caller: Caller,
): Promise<SuccessAnswer | PlannedAnswer> {
  const committed = await commit(deps, caller, async (tx) => {
    const record = await findUnchanged(tx, domain_id, caller)
    await tx.deleteDomain(domain_id)
    return {
      result: record,
      audit: [
        {
          action: 'delete',
          domain_id,
          domain: record.domain,
          revision_before: record.revision,
          revision_after: null,
          detail: { record },
        },
      ],
      release: [{ domain_id, row: { ...rowOf(record), live: false, retired: true } }],
      reason: `delete ${record.domain}`,
      warnings: [],
    }
  })
  if (committed.planned) return planned(committed.plan)
  const { result: record, head, warnings } = committed
  const message = `Deleted ${record.domain}; its route is removed.`
  const done = await deployment(deps, {
    message,
    domain_ids: [domain_id],
    head,
    warnings,
    direction: 'close',
  })
  return { success: true, domain_id, message, revision: null, warnings: done.warnings }
}
