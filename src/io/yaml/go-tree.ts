/**
 * A YAML text as go-yaml v3 reads it for Traefik: anchors, aliases and merge keys followed, the first document alone, and every
 * value a text. What this parser and that one may disagree about is not judged.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, Scalar, type YAMLMap } from 'yaml'
import type { FileEntry, FileNode, FileRead } from '../../ports/proxy-files.ts'
import { composeDocument } from './compose.ts'
import { goFloat } from '../../kernel/text/go-float.ts'
import { YamlFault } from './fault.ts'
import { scan } from './scan.ts'

/** Its reader takes none of these anywhere. */
// eslint-disable-next-line no-control-regex
const REFUSED_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/
/** Line ends of YAML 1.1 that 1.2 has not, and a mark inside of the text. */
const UNCLEAR_CHARACTER = /[\u0085\u2028\u2029]|\r(?!\n)|(?<=[^])\ufeff/

/** Forms that hardly anybody uses and the two may read in different ways. */
const UNCLEAR_FORMS = {
  tag: 'uses a tag ("!type")',
  'directive-line': 'starts with "%", a YAML directive',
  'explicit-key-ind': 'uses a complex key ("? ")',
}
/** The header of a document, which its reader takes of version 1.1 alone. */
const VERSION = /^(?:[ \t]*(?:#.*)?\r?\n)*%YAML[ \t]+(\d+[.]\d+)/
/** A few lines of aliases can stand for gigabytes. */
const MAX_NODES = 200_000

const NO_KEY = 'did not find expected key'

class Unclear extends Error {}

export function readGoYaml(text: string): FileRead {
  try {
    const strange = REFUSED_CHARACTER.exec(text)
    if (strange !== null) throw new YamlFault(strange.index, 'control characters are not allowed')
    if (UNCLEAR_CHARACTER.test(text)) throw new Unclear('holds a line separator that not every reader knows')
    const header = VERSION.exec(text)
    if (header !== null && header[1] !== '1.1')
      throw new YamlFault(header[0].length, 'found incompatible YAML document')
    const tokens = scan(text, { refused: UNCLEAR_FORMS, reader: 'go', first_only: true })
    const contents = composeDocument(tokens)?.contents ?? null
    return { ok: true, root: new Tree(lineStarts(text)).read(contents) }
  } catch (error) {
    if (error instanceof Unclear) return { ok: false, refused: false, line: null, why: error.message }
    if (error instanceof YamlFault) return notRead(error, text)
    throw error
  }
}

const notRead = ({ message, offset }: YamlFault, text: string): FileRead => ({
  ok: false,
  refused: !isUnclear(message, text),
  line: offset === null ? null : lineIn(lineStarts(text), Math.min(offset, text.trimEnd().length - 1)),
  why: message,
})

/** Go's reader ends JSON at its last bracket whatever follows, and takes a comment right behind a quote, and `\\'`. */
const isUnclear = (message: string, text: string): boolean =>
  Object.values<string>(UNCLEAR_FORMS).includes(message) ||
  /nested deeper|Comments must be separated|Invalid escape sequence \\'/.test(message) ||
  // Its reader does not mind where a bracket stands that ends a list.
  (/Unexpected flow-(?:map|seq)-end token/.test(message) && /^[\]}]/m.test(text)) ||
  (/in YAML stream|at node end/.test(message) && /^\s*[{[]/.test(text))

class Tree {
  readonly #starts: readonly number[]
  readonly #anchors = new Map<string, Node>()
  /** Names whose value is being read: it may not hold itself. */
  readonly #open = new Set<string>()
  #nodes = 0

  constructor(starts: readonly number[]) {
    this.#starts = starts
  }

  read(node: Node | null | undefined): FileNode {
    if (node === null || node === undefined) return { kind: 'null', line: null }
    if (++this.#nodes > MAX_NODES) throw new Unclear('stands for too much to be judged here')
    if (isAlias(node)) return this.#meant(node.source, node)
    const { anchor } = node as { readonly anchor?: string }
    if (anchor === undefined) return this.#value(node)
    this.#anchors.set(anchor, node)
    this.#open.add(anchor)
    const value = this.#value(node)
    this.#open.delete(anchor)
    return value
  }

  #meant(name: string, alias: Node): FileNode {
    const node = this.#anchors.get(name)
    if (node === undefined) throw new YamlFault(offsetOf(alias), `unknown anchor '${name}' referenced`)
    if (this.#open.has(name)) throw new YamlFault(offsetOf(alias), `anchor '${name}' value contains itself`)
    return this.#value(node)
  }

  #value(node: Node): FileNode {
    const line = this.#lineOf(node)
    if (isScalar(node)) return { ...scalarOf(node), line }
    if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => this.read(item as Node)), line }
    if (isMap(node)) return { kind: 'map', entries: this.#entries(node), line }
    throw new Unclear('holds something that is neither a value, a list nor a mapping')
  }

  #entries(map: YAMLMap): ReadonlyMap<string, FileEntry> {
    const own = new Map<string, FileEntry>()
    const merged = new Map<string, FileEntry>()
    for (const { key, value } of map.items) {
      if (!isScalar(key)) throw new Unclear('has a key that is not a word')
      // The parser takes ": x" as the key null.
      if (key.source === '' && key.type === Scalar.PLAIN) throw new YamlFault(offsetOf(key), NO_KEY)
      const name = String(key.value)
      const is_merge = name === '<<' && key.type === Scalar.PLAIN
      if (own.has(name)) throw new YamlFault(offsetOf(key), `mapping key "${name}" already defined`)
      const read = this.read(value as Node | null)
      if (is_merge) this.#merge(merged, read, key)
      else own.set(name, { line: this.#lineOf(key), value: read })
    }
    return new Map([...merged, ...own])
  }

  #merge(into: Map<string, FileEntry>, node: FileNode, key: Node): void {
    for (const one of node.kind === 'list' ? node.items : [node]) {
      if (one.kind !== 'map')
        throw new YamlFault(offsetOf(key), 'map merge requires map or sequence of maps as the value')
      for (const [name, entry] of one.entries) if (!into.has(name)) into.set(name, entry)
    }
  }

  #lineOf(node: Node): number | null {
    return node.range ? lineIn(this.#starts, node.range[0]) : null
  }
}

function scalarOf(node: Scalar) {
  const is_plain = node.type === Scalar.PLAIN || node.type === undefined
  return is_plain ? plainScalar(node.source ?? '') : { kind: 'text' as const, text: String(node.value) }
}

const offsetOf = (node: Node): number => node.range?.[0] ?? 0

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineIn(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle
  }
  return low + 1
}

// What a scalar without quotes is to go-yaml v3 (its `resolve.go`), as the text that Traefik's decoder makes of it: numbers in
// Go's `%d` and `%f`, so `010` is 8 and `1.10` is 1.100000.

type PlainScalar = { readonly kind: 'null' | 'time' } | { readonly kind: 'text'; readonly text: string }

const NULLS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL'])
const FLAGS: ReadonlySet<string> = new Set(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'])
const INTEGER = /^[-+]?(?:0x[\da-f]+|0b[01]+|0o?[0-7]+|0|[1-9]\d*)$/i
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const INFINITE = /^([-+]?)\.(?:inf|Inf|INF)$/
const NOT_A_NUMBER: ReadonlySet<string> = new Set(['.nan', '.NaN', '.NAN'])

function plainScalar(source: string): PlainScalar {
  if (NULLS.has(source)) return { kind: 'null' }
  if (FLAGS.has(source)) return text(source.toLowerCase())
  if (isTime(source)) return { kind: 'time' }
  const infinite = INFINITE.exec(source)
  if (infinite !== null) return text(infinite[1] === '-' ? '-Inf' : '+Inf')
  if (NOT_A_NUMBER.has(source)) return text('NaN')
  return text(/^[-+.\d]/.test(source) ? numberText(source) : source)
}

const text = (value: string): PlainScalar => ({ kind: 'text', text: value })

/** Underscores are left out; what does not fit 64 bits is a float, and beyond that a text. */
function numberText(source: string): string {
  const bare = source.replaceAll('_', '')
  if (INTEGER.test(bare)) {
    const whole = wholeOf(bare)
    if (whole >= -(2n ** 63n) && whole < 2n ** 64n) return String(whole)
  }
  return FLOAT.test(bare) && Number.isFinite(Number(bare)) ? goFloat(Number(bare)) : source
}

function wholeOf(bare: string): bigint {
  const digits = bare.replace(/^[-+]/, '').toLowerCase()
  const whole = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits)
  return bare.startsWith('-') ? -whole : whole
}

const DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})/
const CLOCK = /^[Tt ](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[-+]\d{2}:\d{2})?$/

/** `2024-01-02`, with a time behind a blank, or with a time and its zone behind a T. */
function isTime(source: string): boolean {
  const day = DAY.exec(source)
  if (day === null) return false
  const [year, month, date] = day.slice(1).map(Number) as [number, number, number]
  if (
    month < 1 ||
    month > 12 ||
    date < 1 ||
    date > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  )
    return false
  const rest = source.slice(day[0].length)
  if (rest === '') return true
  const clock = CLOCK.exec(rest)
  if (clock === null || (clock[4] !== undefined) !== (rest[0] !== ' ')) return false
  const [hour, minute, second] = clock.slice(1, 4).map(Number) as [number, number, number]
  return hour < 24 && minute < 60 && second < 60
}
