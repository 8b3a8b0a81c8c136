/** Which fields of a record differ, with both values. */
import { hasSameDigest } from '../../kernel/digest.ts'
import { type DomainFields, FIELD_NAMES } from './record.ts'

export interface FieldChange {
  readonly before: unknown
  readonly after: unknown
}

export type FieldChanges = Readonly<Record<string, FieldChange>>

/** Names of the fields that differ, in the order of a record. */
export const movedFields = (before: DomainFields, after: DomainFields): readonly (keyof DomainFields)[] =>
  FIELD_NAMES.filter((name) => !hasSameDigest(before[name], after[name]))

export const fieldChanges = (before: DomainFields, after: DomainFields): FieldChanges =>
  Object.fromEntries(
    movedFields(before, after).map((name) => [name, { before: before[name], after: after[name] }]),
  )

/** @param names those that are compared */
export const isSameIn = (
  before: DomainFields,
  after: DomainFields,
  names: readonly (keyof DomainFields)[] = FIELD_NAMES,
): boolean => names.every((name) => hasSameDigest(before[name], after[name]))
