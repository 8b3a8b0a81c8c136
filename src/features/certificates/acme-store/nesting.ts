/** How deep a JSON text nests, seen before it is parsed: 16 MiB of brackets would cost the parser seconds and 700 MB. */
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Brackets within strings do not count. Stops at the first that goes beyond `most`. */
export function nestsDeeperThan(json: Uint8Array, most: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte === QUOTE) at = endOfString(json, at)
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((byte | 0x20) === 0x7b && ++depth > most) return true
    else if ((byte | 0x20) === 0x7d) depth--
  }
  return false
}

/** Where the string that begins at `start` ends; the length of the text where it does not. */
function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const end = json.indexOf(QUOTE, at)
    if (end === -1) return json.length
    let escapes = 0
    while (json[end - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
    at = end
  }
  return json.length
}
