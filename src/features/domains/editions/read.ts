/** What is saved of a record and what is released of it, field by field. */
import { findDomain } from '../../../core/find-domain.ts'
import { isoTime } from '../../../kernel/clock.ts'
import { movedFields } from '../../../model/domain/field-changes.ts'
import { type DomainFields, type DomainRecord, fieldsOf, isOutside } from '../../../model/domain/record.ts'
import type { StoreReader } from '../../../ports/store.ts'
import { deployedRow } from '../change-status.ts'

export interface Editions {
  readonly saved: DomainFields & Pick<DomainRecord, 'status' | 'revision'> & { readonly at: string }
  /** Null where nothing of it was ever released. */
  readonly released: (DomainFields & ReleasedFacts) | null
  /** Fields that differ and wait for a deploy, which notes and tags never do; none where nothing is released. */
  readonly moved: readonly (keyof DomainFields)[]
}

interface ReleasedFacts {
  readonly revision: number
  readonly live: boolean
  /** The newest release that moved it; null where the trail does not reach back to it. */
  readonly release: number | null
  /** RFC 3339. */
  readonly at: string | null
}

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
