/**
 * Reads text in the form of our own block YAML (see `render/emit.ts`) and nothing else: one entry a line, two blanks a level,
 * strings in double quotes. Only for what another version or other settings have written: of its own renderings the renderer
 * knows what they say. A line of any other form is a fault, never a guess, because whatever were left out here would be a
 * route without its lock.
 */
import { Failure } from '../../../kernel/failure.ts'
import type { PlainMap } from '../render/settings.ts'

type Value = string | number | boolean | null | Value[] | { [key: string]: Value }

/** Throws `internal` for text of another form. */
export function readValues(text: string): PlainMap {
  const reader = new Reader(text)
  const value = reader.map(0)
  reader.assertDone()
  return value as PlainMap
}

const LINE = /^( *)(?:(- ).*|("(?:[^"\\]|\\.)*"|[A-Za-z0-9]+):(?: (.+))?|(.+))$/

interface YamlLine {
  /** Column where the line begins to say something. */
  readonly indent: number
  readonly is_item: boolean
  /** Null where the line is a scalar alone. */
  readonly key: string | null
  /** Null where the value stands on the lines below. */
  readonly scalar: string | null
}

class Reader {
  readonly #lines: readonly string[]
  #at = 0
  /** Columns of the line at `#at` that are read already: the dashes of the items that it begins. */
  #read_columns = 0

  constructor(text: string) {
    this.#lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }

  map(indent: number): Value {
    const entries = new Map<string, Value>()
    for (let line = this.#here(); line?.indent === indent && !line.is_item; line = this.#here()) {
      if (line.key === null || entries.has(line.key)) throw this.#fault()
      this.#step()
      entries.set(line.key, line.scalar === null ? this.#below(indent) : this.#scalar(line.scalar))
    }
    if (entries.size === 0) throw this.#fault()
    // Not by assignment: "__proto__" is a name like any other.
    return Object.fromEntries(entries)
  }

  assertDone(): void {
    if (this.#at < this.#lines.length) throw this.#fault()
  }

  /** What belongs to a key without a value on its line. Nothing at all is YAML's null. */
  #below(indent: number): Value {
    const line = this.#here()
    if (line === null || line.indent <= indent) return null
    return line.is_item ? this.#list(indent + 2) : this.map(indent + 2)
  }

  #list(indent: number): Value[] {
    const items: Value[] = []
    for (let line = this.#here(); line?.indent === indent && line.is_item; line = this.#here()) {
      this.#read_columns = indent + 2
      items.push(this.#item(indent + 2))
    }
    if (items.length === 0) throw this.#fault()
    return items
  }

  #item(indent: number): Value {
    const line = this.#here()
    if (line?.is_item === true) return this.#list(indent)
    if (line === null || line.key !== null || line.scalar === null) return this.map(indent)
    this.#step()
    return this.#scalar(line.scalar)
  }

  #here(): YamlLine | null {
    const text = this.#lines[this.#at]
    if (text === undefined) return null
    const match = LINE.exec(' '.repeat(this.#read_columns) + text.slice(this.#read_columns))
    if (match === null) throw this.#fault()
    const [, blanks = '', dash, key, value, alone] = match
    return {
      indent: blanks.length,
      is_item: dash !== undefined,
      key: key === undefined ? null : key.startsWith('"') ? this.#unquoted(key) : key,
      scalar: value ?? alone ?? null,
    }
  }

  #step(): void {
    this.#at++
    this.#read_columns = 0
  }

  #scalar(text: string): Value {
    if (text.startsWith('"')) return this.#unquoted(text)
    if (text === 'true' || text === 'false') return text === 'true'
    if (NUMBER.test(text)) return Number(text)
    throw this.#fault()
  }

  #unquoted(text: string): string {
    const match = QUOTED.exec(text)
    if (match === null) throw this.#fault()
    return match[1]!.replace(ESCAPE, (_all, mark?: string, short?: string, long?: string) =>
      mark === undefined ? String.fromCodePoint(Number.parseInt((short ?? long)!, 16)) : mark,
    )
  }

  #fault(): Failure {
    const what = this.#lines[this.#at]?.slice(0, 200) ?? 'the end'
    return new Failure('internal', 'routes: the released file is not in the form that we write.', {
      inside: what,
    })
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/
const QUOTED = /^"((?:[ !#-[\]-z|~]|\\["\\]|\\u[0-9a-f]{4}|\\U[0-9a-f]{8})*)"$/
const ESCAPE = /\\(?:(["\\])|u(....)|U(........))/g
