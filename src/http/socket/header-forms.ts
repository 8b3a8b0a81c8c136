/** What the headers look like that endpoints read, for their description. */
import type { TextForm } from '../../model/text/form.ts'

export const HEADER_FORMS: Readonly<Record<string, TextForm>> = {
  'Idempotency-Key': { pattern: '^[!-~]{1,255}$' },
  'If-Match': { pattern: '^(?:\\*|"[1-9][0-9]{0,14}(?:-error)?")$' },
  'Last-Event-ID': { pattern: '^(?:0|[1-9][0-9]{0,14})$' },
}
