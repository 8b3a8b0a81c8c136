/**
 * What a change makes of a record beside what it releases and saves of it: most of that moves no row of a plan. Told by the name:
 * a record that was rehearsed to be created may get another id. Pure.
 */
import { isSameIn } from './field-changes.ts'
import { type DomainFields, type DomainRecord, fieldsOf, type Status } from './record.ts'

type BecameStatus = Exclude<Status, 'error'> | 'deleted'

export interface Became {
  readonly domain: string
  /** An active record for which something did not work out (`error`) is active. */
  readonly status?: BecameStatus
  readonly fields?: DomainFields
}

const statusOf = ({ status }: DomainRecord): BecameStatus => (status === 'error' ? 'active' : status)

/** Empty where its status stays. */
export const becameOf = (before: DomainRecord, after: DomainRecord): readonly Became[] =>
  statusOf(before) === statusOf(after) ? [] : [{ domain: after.domain, status: statusOf(after) }]

/** With its values: of a change that makes a record what a document or a release says. Null: it was not there. */
export function wholeBecameOf(before: DomainRecord | null, after: DomainRecord): readonly Became[] {
  const is_same = before !== null && isSameIn(before, after)
  if (is_same) return becameOf(before, after)
  return [{ domain: after.domain, status: statusOf(after), fields: fieldsOf(after) }]
}

export const deleted = (domain: string): readonly Became[] => [{ domain, status: 'deleted' }]
