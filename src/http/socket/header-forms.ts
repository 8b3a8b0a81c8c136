/** What the headers look like that endpoints read, for their description. */
import type { TextForm } from '../../model/text/form.ts'

type HeaderForm = TextForm | { readonly anyOf: readonly (TextForm | { readonly const: string })[] }

export const HEADER_FORMS: Readonly<Record<string, HeaderForm>> = {
  'Idempotency-Key': { pattern: '^[!-~]{1,255}$' },
  // Two forms beside each other, as generators find either.
  'If-Match': { anyOf: [{ const: '*' }, { pattern: '^"[1-9][0-9]{0,14}(?:-error)?"$' }] },
  'Last-Event-ID': { pattern: '^(?:0|[1-9][0-9]{0,14})$' },
}
