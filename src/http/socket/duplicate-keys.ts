/**
 * Keys that stand twice in one object of a JSON text. Parsers take the last one (RFC 8259 §4 leaves it open), so whoever
 * checked the first would have checked something else than what is saved.
 */

/** Enough to mend a body by. */
const MAX_FOUND = 50

type Path = readonly (string | number)[]

interface Frame {
  /** Of an object; null for a list. */
  readonly keys: Set<string> | null
  /** Where in it the reader is. */
  at: string | number
  /** Whether the next string is a key. */
  awaits_key: boolean
}

/** Of a longer text others have a turn after each. */
export const PIECE_CHARACTERS = 256 * 1024

/** @param text valid JSON */
export async function duplicateKeys(text: string, othersTurn: () => Promise<void>): Promise<readonly Path[]> {
  const found: Path[] = []
  const frames: Frame[] = []
  let piece_end = PIECE_CHARACTERS
  for (let at = 0; at < text.length && found.length < MAX_FOUND; at++) {
    if (at >= piece_end) {
      await othersTurn()
      piece_end = at + PIECE_CHARACTERS
    }
    const frame = frames.at(-1)
    switch (text.charAt(at)) {
      case '"': {
        const end = endOfString(text, at)
        if (frame?.awaits_key === true && isSecond(frame, keyIn(text, at, end)))
          found.push(frames.map((one) => one.at))
        at = end
        break
      }
      case '{':
        frames.push({ keys: new Set(), at: '', awaits_key: true })
        break
      case '[':
        frames.push({ keys: null, at: 0, awaits_key: false })
        break
      case '}':
      case ']':
        frames.pop()
        break
      case ',':
        if (frame !== undefined) next(frame)
        break
    }
  }
  return found
}

/** Takes the key. */
function isSecond(frame: Frame, key: string): boolean {
  frame.at = key
  frame.awaits_key = false
  const { size } = frame.keys!
  return frame.keys!.add(key).size === size
}

function next(frame: Frame): void {
  if (frame.keys === null) frame.at = Number(frame.at) + 1
  else frame.awaits_key = true
}

/** Two spellings of one key are one key. */
function keyIn(text: string, start: number, end: number): string {
  const written = text.slice(start, end + 1)
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
}

/** The place of the quote that ends the string, or the end of a text that is cut. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1))
    if (!isEscaped(text, at)) return at
  return text.length
}

/** Each backslash is looked at once: the next quote ends the row of them. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}
