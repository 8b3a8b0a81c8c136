/**
 * In which line each key of a TOML text stands first, by its path with a NUL between the names; keys of inline tables stand in
 * their line. For people: the parser does not tell, and texts over several lines may look like keys here.
 */

/** What stands further in is not looked for. */
const LONGEST_LINE = 500

const HEADER = /^\s*\[\[?([^\]]*)\]/
/** Blanks have one place each: were they a part of names, too, a line of blanks would take seconds to be no key. */
const KEY =
  /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=/
const INNER_KEY = /[{,]\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*=/g
const NAME = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)/g

export function tomlLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  const note = (path: readonly string[], line: number) => {
    for (let length = 1; length <= path.length; length++) {
      const name = path.slice(0, length).join('\0')
      if (!lines.has(name)) lines.set(name, line)
    }
  }
  let table: readonly string[] = []
  for (const [index, whole] of text.split('\n').entries()) {
    const source = whole.slice(0, LONGEST_LINE)
    const header = HEADER.exec(source)
    const key = header === null ? KEY.exec(source) : null
    if (header !== null) note((table = namesIn(header[1]!)), index + 1)
    if (key === null) continue
    const path = [...table, ...namesIn(key[1]!)]
    note(path, index + 1)
    for (const [, inner] of source.slice(key[0].length).matchAll(INNER_KEY))
      note([...path, ...namesIn(inner!)], index + 1)
  }
  return lines
}

const namesIn = (dotted: string): readonly string[] =>
  [...dotted.matchAll(NAME)].map(([, double, single, bare]) => double ?? single ?? bare!)
