/** Saves a new record. It is inactive and nothing outside moves until it is activated. */
import { invalid } from '../../kernel/failure.ts'
import { checkNew } from '../../model/domain-rules.ts'
import type { DomainRecord } from '../../model/domain.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { type PlannedAnswer, planned, type SuccessAnswer } from '../answers.ts'
import { commit } from '../commit.ts'
import type { Caller, Deps } from '../deps.ts'
import { statusErrors } from './status-field.ts'

export type DomainInput = Readonly<Record<string, unknown>>

export async function createDomain(
  deps: Deps,
  input: DomainInput,
  caller: Caller,
): Promise<SuccessAnswer | PlannedAnswer> {
  const committed = await commit(deps, caller, async (tx, at) => {
    const { record, warnings } = await insertChecked(deps, tx, input, at)
    return { result: record, audit: [createdAudit(record)], release: null, reason: '', warnings }
  })
  if (committed.planned) return planned(committed.plan)
  const { result: record, warnings } = committed
  return {
    success: true,
    domain_id: record.id,
    message: `Saved ${record.domain}. It is inactive; activate it to put it into the routes file.`,
    revision: record.revision,
    warnings,
  }
}

/** Checks and inserts within the caller's transaction. Throws `validation_failed`, `name_taken`, `entrypoint_taken`. */
export async function insertChecked(
  deps: Deps,
  tx: StoreWriter,
  input: DomainInput,
  at: number,
): Promise<{ record: DomainRecord; warnings: readonly string[] }> {
  const { status, ...fields } = input
  const errors = statusErrors('inactive', status)
  const checked = checkNew(fields, deps.offer)
  if (!checked.ok) throw invalid([...errors, ...checked.errors])
  if (errors.length > 0) throw invalid(errors)
  return { record: await tx.insertDomain(checked.fields, at), warnings: checked.warnings }
}

export const createdAudit = (record: DomainRecord) => ({
  action: 'create',
  domain_id: record.id,
  domain: record.domain,
  revision_before: null,
  revision_after: record.revision,
})
