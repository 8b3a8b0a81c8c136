/** A value of a record's field on one line, and what it was and becomes. */
import type { FieldChanges } from '../../model/domain/field-changes.ts'

export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(', ')
  if (typeof value === 'object' && 'extra_middlewares' in value) return shownValue(value.extra_middlewares)
  return JSON.stringify(value)
}

/** `backend_port: 8080 -> 8081`, one for each field. */
export const fieldLines = (fields: FieldChanges | undefined): readonly string[] =>
  Object.entries(fields ?? {}).map(
    ([name, { before, after }]) => `${name}: ${shownValue(before)} -> ${shownValue(after)}`,
  )
