/** Text of strangers, made harmless for a terminal: what would drive it is shown instead. */

// C0 but for tab and line feed, DEL and C1, line separators, marks that reorder text. The text is anybody's: none of it
// may drive a terminal.
// eslint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

export const visible = (text: string): string =>
  text.replace(INVISIBLE, (mark) =>
    mark < ' ' ? String.fromCharCode(0x2400 + mark.charCodeAt(0)) : '\ufffd',
  )

/** A JSON value with every text in it, names of members included, made visible. */
export function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(visibleIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [visible(name), visibleIn(member)]))
}

/** JSON text in which such characters are escapes, so that it is the same value and harmless to print. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(INVISIBLE, (mark) => {
    return `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
