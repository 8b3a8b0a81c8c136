/**
 * What a JSON text would take, seen before it is parsed: of brackets and commas alone, 16 MiB cost the parser seconds and more
 * than half a gigabyte. Knows brackets, commas and strings, and no more of JSON.
 */
export interface JsonBounds {
  readonly depth: number
  /** Values of any kind, within one or some for each entry. */
  readonly values: number
}

/** Of 10,000 records or routers, each provider's and the proxy's lists are far below. */
export const JSON_BOUNDS: JsonBounds = { depth: 64, values: 500_000 }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** The end of a sentence: what of it goes beyond the bounds; null where nothing does, and for what is no list and no object. */
export function jsonExcess(bytes: Uint8Array, { depth: most, values }: JsonBounds): string | null {
  const start = startOf(bytes)
  if (start === null) return null
  let depth = 0
  let left = values
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COMMA) left--
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((byte | 0x20) === 0x7b) {
      left--
      if (++depth > most) return `nests deeper than ${most} levels`
    } else if ((byte | 0x20) === 0x7d) depth--
    if (left < 0) return `has more than ${values} values`
  }
  return null
}

/** Where its first bracket stands; null for what begins with anything else. */
function startOf(bytes: Uint8Array): number | null {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (BLANK.has(bytes[at] ?? 0)) at++
  return ((bytes[at] ?? 0) | 0x20) === 0x7b ? at : null
}

const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Of its closing quote; the length of the text where it has none. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const end = bytes.indexOf(QUOTE, at)
    if (end === -1) return bytes.length
    let escapes = 0
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
    at = end
  }
  return bytes.length
}
