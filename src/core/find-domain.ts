/** Finding one record, or the failure that says it is not there. */
import { Failure } from '../kernel/failure.ts'
import type { DomainRecord } from '../model/domain/record.ts'
import type { StoreReader } from '../ports/store.ts'
import type { Caller } from './caller.ts'

export async function findDomain(reader: StoreReader, domain_id: number): Promise<DomainRecord> {
  const record = await reader.domain(domain_id)
  if (record === null) throw new Failure('not_found', `There is no domain with id ${domain_id}.`)
  return record
}

/** The record, when it still has the revision that the caller has seen. */
export async function findUnchanged(
  reader: StoreReader,
  domain_id: number,
  caller: Caller,
): Promise<DomainRecord> {
  const record = await findDomain(reader, domain_id)
  caller.subjects?.add(record.domain)
  if (caller.if_match !== null && caller.if_match !== record.revision)
    throw new Failure(
      'revision_mismatch',
      `${record.domain} is at revision ${record.revision}, not ${caller.if_match}. Read it again, then repeat the change.`,
      { facts: { revision: record.revision } },
    )
  return record
}
