/**
 * Characters that no stored text may hold, whatever the field: C0, DEL and C1 controls, the Unicode line separators,
 * the byte-order mark, lone surrogates, and the Go template marks `{{` and `}}` (Traefik renders its dynamic files as
 * Go templates before it parses them).
 */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/
const LONE_SURROGATE = /\p{Surrogate}/u

/** Why `text` may not be stored, as the end of a sentence, or null when it may. Linear in the text's length. */
export function textFault(text: string, most: number): string | null {
  if (text.length > most) return `must be at most ${most} characters`
  if (CONTROL.test(text)) return 'must not hold control characters or line separators'
  if (LONE_SURROGATE.test(text)) return 'must be well-formed Unicode'
  if (text.includes('{{') || text.includes('}}')) return 'must not hold "{{" or "}}"'
  return null
}
