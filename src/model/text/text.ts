/**
 * Characters that no stored text may hold, whatever the field: C0, DEL and C1 controls, the Unicode line separators,
 * the byte-order mark, lone surrogates, and the Go template marks `{{` and `}}` (Traefik renders its dynamic files as
 * Go templates before it parses them).
 */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/

/**
 * Where texts in a value hold half a surrogate pair, as paths of keys and positions. No file, header or reader can say such
 * a half, so it is refused at the door, whatever the field; a key that holds one is named by what stands around it.
 */
export function illFormed(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [[...path]]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, at) => illFormed(item, [...path, at]))
  return Object.entries(value).flatMap(([key, member]) =>
    key.isWellFormed() ? illFormed(member, [...path, key]) : [[...path, key.toWellFormed()]],
  )
}

export const ILL_FORMED = 'holds half a surrogate pair (such as "\\ud83e" alone); send the whole character'

/** Why `text` may not be stored, as the end of a sentence, or null when it may. Linear in the text's length. */
export function textFault(text: string, most: number): string | null {
  if (text.length > most) return `must be at most ${most} characters`
  if (CONTROL.test(text)) return 'must not hold control characters or line separators'
  if (!text.isWellFormed()) return ILL_FORMED
  if (text.includes('{{') || text.includes('}}')) return 'must not hold "{{" or "}}"'
  return null
}
