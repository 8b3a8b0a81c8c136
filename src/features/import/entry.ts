/** One domain on its way into the database: what to create and the status that it should end with. */
import type { DomainFields, Status } from '../../model/domain/record.ts'

/** The writable fields of a new record; what is left out gets its default. */
export type CreateInput = Pick<DomainFields, 'domain' | 'service_type' | 'environment'> &
  Partial<DomainFields>

/** A status that a caller can ask for; `error` is the reconciler's verdict on an active record. */
export const WANTED_STATUSES = ['active', 'inactive', 'disabled'] as const
export type WantedStatus = (typeof WANTED_STATUSES)[number]

/** The version that stands as `plumbline:` at the head of an estate document. */
export const ESTATE_VERSION = 1

export const wantedStatus = (status: Status): WantedStatus => (status === 'error' ? 'active' : status)
