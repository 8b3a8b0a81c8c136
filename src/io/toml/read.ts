/** A TOML text as Traefik's reader of it sees it: every value a text, a date a date, a table a mapping. */
import { goFloat } from '../../kernel/text/go-float.ts'
import { parse, TomlDate, TomlError } from 'smol-toml'
import type { FileEntry, FileNode, FileRead } from '../../ports/proxy-files.ts'

export function readToml(text: string): FileRead {
  try {
    const lines = tomlLines(text)
    return {
      ok: true,
      root: nodeOf(parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: true }), [], lines),
    }
  } catch (error) {
    const is_deep = error instanceof RangeError || (error instanceof TomlError && DEEP.test(error.message))
    if (is_deep)
      return { ok: false, refused: false, line: null, why: 'is nested too deeply to be judged here' }
    if (error instanceof TomlError) return { ok: false, refused: true, line: error.line, why: wordsOf(error) }
    throw error
  }
}

/** More than this parser follows. */
const DEEP = /excessively nested/

/** Without the excerpt of the file that follows. */
const wordsOf = ({ message }: TomlError): string =>
  message.split('\n')[0]!.replace(/^Invalid TOML document: /, '')

function nodeOf(value: unknown, path: readonly string[], lines: ReadonlyMap<string, number>): FileNode {
  const line = lines.get(path.join('\0')) ?? null
  if (value instanceof TomlDate) return { kind: 'time', line }
  if (Array.isArray(value))
    return { kind: 'list', items: value.map((item) => nodeOf(item, path, lines)), line }
  if (typeof value === 'object' && value !== null)
    return {
      kind: 'map',
      line,
      entries: new Map(
        Object.entries(value).map(([name, one]): [string, FileEntry] => {
          const inner = [...path, name]
          return [name, { line: lines.get(inner.join('\0')) ?? line, value: nodeOf(one, inner, lines) }]
        }),
      ),
    }
  return { kind: 'text', text: textOf(value), line }
}

/** In Go's `%d`, `%f` and `%t`. */
function textOf(value: unknown): string {
  if (typeof value !== 'number') return String(value)
  if (Number.isFinite(value)) return goFloat(value)
  return Number.isNaN(value) ? 'NaN' : value < 0 ? '-Inf' : '+Inf'
}

// In which line each key of a TOML text stands first, by its path with a NUL between the names; keys of inline tables stand in
// their line. For people: the parser does not tell, and texts over several lines may look like keys here.

/** What stands further in is not looked for. */
const MAX_LINE = 500

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
    const source = whole.slice(0, MAX_LINE)
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
