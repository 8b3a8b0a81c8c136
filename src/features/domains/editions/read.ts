/** What is saved of a record and what is released of it, field by field. */
import { findDomain } from '../../../core/find-domain.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { movedFields } from '../../../model/domain/field-changes.ts'
import { type DomainFields, fieldsOf, isOutside } from '../../../model/domain/record.ts'
import type { StoreReader } from '../../../ports/store.ts'
import { deployedRow } from '../change-status.ts'
import type { Editions } from './views.ts'

/** Throws `not_found`. */
export async function readEditions(store: StoreReader, domain_id: number): Promise<Editions> {
  const record = await findDomain(store, domain_id)
  const { status, revision, updated_at } = record
  const saved = { ...fieldsOf(record), status, revision, at: isoTime(updated_at) }
  const row = await deployedRow(store, domain_id)
  if (row === undefined) return { saved, released: null, moved: [] }
  const number = await store.lastReleaseOf(domain_id)
  const release = number === null ? null : await store.release(number)
  const released = {
    ...row.fields,
    revision: row.revision,
    live: row.live,
    release: number,
    at: release === null ? null : isoTime(release.created_at),
  }
  return { saved, released, moved: waitingFields(record, row.fields) }
}

/** Of those that a deploy brings out. */
const waitingFields = (a: DomainFields, b: DomainFields): readonly (keyof DomainFields)[] =>
  movedFields(a, b).filter(isOutside)
