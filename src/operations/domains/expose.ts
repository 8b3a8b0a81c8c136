/** Quick expose: one call that creates a record with the installation's public address and deploys it. */
import { rowOf } from '../../model/intent.ts'
import { type DeploymentResult, type PlannedAnswer, planned } from '../answers.ts'
import { commit, opening } from '../commit.ts'
import type { Caller, Deps } from '../deps.ts'
import { deployment } from '../deploy/deployment.ts'
import { carryOutActivation } from '../deploy/activation.ts'
import { changeStatus } from './change-status.ts'
import {
  createdAudit,
  type DomainInput,
  insertChecked,
  isInput,
  newDomainFaults,
  withCertificateOfNew,
} from './create.ts'
import { outcomeWords } from './outcome-words.ts'

const NO_ADDRESS = 'PLUMBLINE_PUBLIC_IP is not set: static_ip stays empty.'

const wantedOf = ({ public_ip }: Pick<Deps, 'public_ip'>, input: DomainInput): DomainInput => ({
  service_type: 'http',
  environment: 'production',
  static_ip: public_ip,
  ...input,
})

/** What is wrong with a record that is to be exposed. Takes anything. */
export const exposeFaults = (deps: Pick<Deps, 'offer' | 'public_ip'>, input: unknown) =>
  isInput(input) ? newDomainFaults(deps, wantedOf(deps, input)) : []

export type ExposeAnswer = DeploymentResult & { readonly domain_id: number }

export async function exposeDomain(
  deps: Deps,
  given: DomainInput,
  caller: Caller,
): Promise<ExposeAnswer | PlannedAnswer> {
  const input = await withCertificateOfNew(deps, given, caller)
  const work = opening('one', async (tx, at) => {
    const { record: created, warnings } = await insertChecked(deps, tx, wantedOf(deps, input), at)
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
  const message = outcomeWords('expose', { domain: record.domain, row: rowOf(record) })
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
