/** The keys of an entry of a routes file, cut out of its text by our own indentation. The text may be anybody's. Pure. */
import type { Block } from '../read/blocks.ts'

export type Parts = ReadonlyMap<string, string>

/** Of an entry: what stands under each of its keys, the key's line with it. Null where a key stands there twice. */
export function partsOf(text: string): Parts | null {
  const parts = new Map<string, string>()
  let key = ''
  for (const line of text.split('\n').slice(1)) {
    const [, starts] = /^ {6}([A-Za-z]+):/.exec(line) ?? []
    if (starts !== undefined && parts.has(starts)) return null
    key = starts ?? key
    parts.set(key, `${parts.get(key) ?? ''}${line}\n`)
  }
  return parts
}

/** A list of names in our own form; null for any other. */
export function namesIn(part: string): readonly string[] | null {
  const lines = part.split('\n').slice(1, -1)
  const names = lines.map((line) => /^ {8}- "([^"\\]+)"$/.exec(line)?.[1])
  return names.some((name) => name === undefined) ? null : (names as readonly string[])
}

/** Of a middleware; null for none, and for more than one. */
export function typeOf(block: Block | undefined): string | null {
  const keys = [...(block === undefined ? [] : (partsOf(withoutComments(block.text))?.keys() ?? []))]
  return keys.length === 1 ? keys[0]! : null
}

export function withoutComments(text: string): string {
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text
  if (!SAYS_NOTHING.test(lines)) return lines
  return lines
    .split('\n')
    .filter((line) => !SAYS_NOTHING.test(line))
    .join('\n')
}

/** A line that does. */
const SAYS_NOTHING = /^ *(?:#|$)/m

export const serviceOf = (parts: Parts | null): string =>
  /^ {6}service: "([^"\\]+)"/.exec(parts?.get('service') ?? '')?.[1] ?? ''
