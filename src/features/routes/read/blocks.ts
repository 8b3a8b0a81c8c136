/**
 * Cuts the text of a routes file into named blocks, by our own indentation and without parsing YAML.
 *
 * The text may have been written by anyone: the scan is linear, never throws, and puts everything somewhere. An entry of
 * a section (`http:` / `  routers:` / `    "name":` and what is indented deeper) is the block `http.routers.name`;
 * whatever does not fit is a block `line N`, up to the next thing that does.
 */
import { lineCounter } from '../../../kernel/text/lines.ts'

export interface Block {
  readonly text: string
  /** Where it begins in the whole text. */
  readonly start: number
  /** False for `line N`. */
  readonly placed: boolean
}

const ROOT = /^([A-Za-z]{1,32}):$/
const SECTION = /^ {2}([A-Za-z]{1,32}):$/
// A key of printable ASCII, quoted or plain, with anything after the colon.
const ENTRY = /^ {4}(?:"([ !#-[\]-~]{1,300})"|'([ -&(-~]{1,300})'|([A-Za-z0-9*][!-9;-~]{0,299})):(?:\s|$)/
/** No line that can start anything is longer; a longer one is content, whatever it says. */
const MAX_START = 400

/** The blocks of a text by their item name, in the order of the text. Equal texts give equal blocks. */
export function scanBlocks(text: string): ReadonlyMap<string, Block> {
  const scan = new Scan(text)
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed + 1
    const depth = indent(text, start)
    // Deeper than an entry, so it belongs to whatever is open: nearly every line of a file takes this way.
    if (depth < DEEP || !scan.isOpen) scan.read(start, end, depth)
    start = end
  }
  return scan.finish()
}

/** Deeper than the name of an entry. */
const DEEP = 5

/** Leading blanks of a line, counted up to `DEEP`. */
function indent(text: string, start: number): number {
  let depth = 0
  while (depth < DEEP && text.charCodeAt(start + depth) === 32) depth++
  return depth
}

class Scan {
  readonly #text: string
  readonly #lineAt: (offset: number) => number
  readonly #blocks = new Map<string, Block>()
  #root: string | null = null
  #section: string | null = null
  #open: { item: string; start: number; placed: boolean } | null = null

  constructor(text: string) {
    this.#text = text
    this.#lineAt = lineCounter(text)
  }

  get isOpen(): boolean {
    return this.#open !== null
  }

  /** One line that may start something. */
  read(start: number, end: number, depth: number): void {
    const content = this.#text.slice(start, Math.min(end, start + MAX_START)).trimEnd()
    const item = depth === 4 ? this.#entryOf(content) : null
    if (item !== null) return this.#begin({ item, start, placed: true })
    if (this.#entersPart(content, depth)) return this.#close(start)
    if (this.#open === null || this.#open.placed)
      this.#begin({ item: `line ${this.#lineAt(start)}`, start, placed: false })
  }

  finish(): ReadonlyMap<string, Block> {
    this.#close(this.#text.length)
    return this.#blocks
  }

  /** The item that an entry's first line names; null for another line, or for a name that is taken. */
  #entryOf(content: string): string | null {
    if (this.#root === null || this.#section === null) return null
    const key = ENTRY.exec(content)
    if (key === null) return null
    const item = `${this.#root}.${this.#section}.${key[1] ?? key[2] ?? key[3]!}`
    return this.#blocks.has(item) || this.#open?.item === item ? null : item
  }

  /** A section's line (`http:`, `  routers:`) belongs to no entry; it only says what the next ones are. */
  #entersPart(content: string, depth: number): boolean {
    const root = depth === 0 ? ROOT.exec(content) : null
    const section = depth === 2 && this.#root !== null ? SECTION.exec(content) : null
    if (root === null && section === null) return false
    this.#root = root?.[1] ?? this.#root
    this.#section = section?.[1] ?? null
    return true
  }

  #begin(head: { item: string; start: number; placed: boolean }): void {
    this.#close(head.start)
    this.#open = head
  }

  #close(end: number): void {
    if (this.#open === null) return
    const { item, start, placed } = this.#open
    this.#blocks.set(item, { text: this.#text.slice(start, end), start, placed })
    this.#open = null
  }
}
