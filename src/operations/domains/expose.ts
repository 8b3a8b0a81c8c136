/** Quick expose: one call that creates a record with the installation's public address and deploys it. */
import { rowOf } from '../../model/intent.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../answers.ts'
import { commit, opening } from '../commit.ts'
import type { Caller, Deps } from '../deps.ts'
import { deployment } from '../deploy/deployment.ts'
import { carryOutActivation } from '../deploy/activation.ts'
import { changeStatus } from './change-status.ts'
import { createdAudit, type DomainInput, insertChecked } from './create.ts'

const NO_ADDRESS = 'PLUMBLINE_PUBLIC_IP is not set: static_ip stays empty.'

export type ExposeAnswer = DeploymentResult & { readonly domain_id: number }

export async function exposeDomain(
  deps: Deps,
  input: DomainInput,
  caller: Caller,
): Promise<ExposeAnswer | PlannedAnswer> {
  const work = opening('one', async (tx, at) => {
    const wanted = { service_type: 'http', environment: 'production', static_ip: deps.public_ip, ...input }
    const { record: created, warnings } = await insertChecked(deps, tx, wanted, at)
    const record = await changeStatus(tx, created, 'activate', at)
    await tx.openActivation(record.id, at)
    return {
      result: record,
      audit: [{ ...createdAudit(record), action: 'expose' }],
      release: [{ domain_id: record.id, row: rowOf(record) }],
      reason: `expose ${record.domain}`,
      warnings: record.static_ip === null ? [...warnings, NO_ADDRESS] : warnings,
    }
  })
  const committed = await commit(deps, caller, work)
  if (committed.planned) return planned(committed.plan)
  const { result: record, head, warnings } = committed
  const message = `${record.domain} is exposed.`
  const done = await carryOutActivation(deps, record.id, () =>
    deployment(deps, {
      message,
      domain_ids: [record.id],
      head,
      warnings,
      direction: 'open',
      about_one: true,
      progress: caller.progress,
    }),
  )
  return { ...done, domain_id: record.id }
}
