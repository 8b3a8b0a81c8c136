/** Which fields of a record differ, with both values. */
import { digestOf } from '../../kernel/digest.ts'
import { type DomainFields, FIELD_NAMES } from './record.ts'

export interface FieldChange {
  readonly before: unknown
  readonly after: unknown
}

export type FieldChanges = Readonly<Record<string, FieldChange>>

export const fieldChanges = (before: DomainFields, after: DomainFields): FieldChanges =>
  Object.fromEntries(
    FIELD_NAMES.filter((name) => !isSame(before[name], after[name])).map((name) => [
      name,
      { before: before[name], after: after[name] },
    ]),
  )

/** Most fields are no objects, and a deploy of everything compares those of thousands. */
const isSame = (before: unknown, after: unknown): boolean =>
  before === after || (isObject(before) && isObject(after) && digestOf(before) === digestOf(after))

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
