/** `status` in a body: it may say what is true, and is never changed by saying something else. */
import { type FieldError, fieldError } from '../../kernel/failure.ts'
import type { Status } from '../../model/domain/record.ts'

const CALL_FOR: Readonly<Record<string, string>> = {
  active: 'POST /api/domains/{domain_id}/activate',
  inactive: 'POST /api/domains/{domain_id}/deactivate',
  disabled: 'POST /api/domains/{domain_id}/disable',
}

/** The status moves only by its own calls. */
export function statusErrors(present: Status, wanted: unknown): FieldError[] {
  if (wanted === undefined || wanted === present) return []
  const call = typeof wanted === 'string' ? CALL_FOR[wanted] : undefined
  const way = call === undefined ? 'only the reconciler sets it' : `use ${call}`
  const remedy = present === 'disabled' ? 'that is final: delete it and create a new record' : way
  return [fieldError(['body', 'status'], `cannot be changed here (it is ${present}); ${remedy}`, 'read_only')]
}
