/** What an entry of the trail moved, in one line, and whether it lets in more than before. Pure. */
import type { AuditEntry } from '../../api/types.ts'
import { type MovedField, movedIn } from '../audit-words.ts'
import { fieldName, fieldValue } from '../words.ts'

export interface MovedLine {
  readonly text: string
  /** More people may open it than before. */
  readonly opens: boolean
}

const MAX_FIELDS = 3

/** "Sign-in required → open to all, Port 3000 → 3001"; null where no field moved. */
export function movedLine(detail: AuditEntry['detail']): MovedLine | null {
  const moved = movedIn(detail)
  if (moved.length === 0) return null
  // What lets in more is never among those that are only counted.
  const sorted = moved.toSorted((a, b) => Number(isOpening(b)) - Number(isOpening(a)))
  const shown = sorted.slice(0, MAX_FIELDS).map(fieldText)
  const rest = sorted.length - shown.length
  return { text: [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', '), opens: moved.some(isOpening) }
}

const MAX_SIGNS = 60

const shortly = (text: string): string =>
  text.length > MAX_SIGNS ? `${text.slice(0, MAX_SIGNS - 1)}…` : text

const fieldText = ({ field, before, after }: MovedField): string =>
  `${fieldName(field)} ${shortly(fieldValue(field, before))} → ${shortly(fieldValue(field, after))}`

const isOpening = ({ field, before, after }: MovedField): boolean =>
  (field === 'auth_required' && before === true && after === false) ||
  (field === 'service_type' && before === 'internal' && after !== 'internal' && after !== 'manual')
