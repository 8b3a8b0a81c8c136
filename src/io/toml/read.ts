/** A TOML text as Traefik's reader of it sees it: every value a text, a date a date, a table a mapping. */
import { parse, TomlDate, TomlError } from 'smol-toml'
import type { FileEntry, FileNode, FileRead } from '../../ports/proxy-files.ts'
import { tomlLines } from './lines.ts'

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
  if (Number.isFinite(value)) return value.toFixed(6)
  return Number.isNaN(value) ? 'NaN' : value < 0 ? '-Inf' : '+Inf'
}
