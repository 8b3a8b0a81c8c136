/** Which fields of a record differ, with both values. */
import { digestOf } from '../../kernel/digest.ts'
import { type DomainFields, FIELD_NAMES } from '../../model/domain/record.ts'

export interface FieldChange {
  readonly before: unknown
  readonly after: unknown
}

export type FieldChanges = Readonly<Record<string, FieldChange>>

export const fieldChanges = (before: DomainFields, after: DomainFields): FieldChanges =>
  Object.fromEntries(
    FIELD_NAMES.filter((name) => digestOf(before[name]) !== digestOf(after[name])).map((name) => [
      name,
      { before: before[name], after: after[name] },
    ]),
  )
