/**
 * Cuts the text of a routes file into named blocks, by our own indentation and without parsing YAML.
 *
 * The text may have been written by anyone: the scan is linear, never throws, and puts everything somewhere. An entry of
 * a section (`http:` / `  routers:` / `    "name":` and what is indented deeper) is the block `http.routers.name`;
 * whatever does not fit is a block `line N`, up to the next thing that does.
 */
import { lineCounter } from './lines.ts'

export interface Block {
  readonly text: string
  /** Where it begins in the whole text. */
  readonly start: number
  /** False for `line N`. */
  readonly placed: boolean
}

const ROOT = /^([A-Za-z]{1,32}):[ \t\r]*$/
const SECTION = /^ {2}([A-Za-z]{1,32}):[ \t\r]*$/
// A key of printable ASCII, quoted or plain, with anything after the colon.
const ENTRY =
  /^ {4}(?:"([ !#-[\]-~]{1,300})"|'([ -&(-~]{1,300})'|([A-Za-z0-9*][!-9;-~]{0,299})):(?:[ \t\r]|$)/
/** No line that can start anything is longer; a longer one is content, whatever it says. */
const LONGEST_START = 400

/** Lines deeper than an entry. Many at once, because nearly all of a file is made of them; bounded, as a pattern's memory is. */
const DEEP_LINES = /(?: {5}[^\n]{0,2000}\n){1,200}/y
const DEEP = '     '

/** The blocks of a text by their item name, in the order of the text. Equal texts give equal blocks. */
export function scanBlocks(text: string): ReadonlyMap<string, Block> {
  const scan = new Scan(text)
  for (let start = 0; start < text.length;) {
    if (scan.isOpen && text.startsWith(DEEP, start)) {
      start = endOfDeepLines(text, start)
      continue
    }
    const end = endOfLine(text, start)
    scan.read(start, end)
    start = end
  }
  return scan.finish()
}

function endOfDeepLines(text: string, start: number): number {
  DEEP_LINES.lastIndex = start
  return DEEP_LINES.test(text) ? DEEP_LINES.lastIndex : endOfLine(text, start)
}

function endOfLine(text: string, start: number): number {
  const feed = text.indexOf('\n', start)
  return feed === -1 ? text.length : feed + 1
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
  read(start: number, end: number): void {
    const content = this.#text.slice(start, Math.min(end, start + LONGEST_START)).replace(/\n$/, '')
    const root = ROOT.exec(content)
    const section = this.#root === null ? null : SECTION.exec(content)
    if (root !== null || section !== null) {
      this.#close(start)
      this.#root = root === null ? this.#root : root[1]!
      this.#section = section === null ? null : section[1]!
      return
    }
    const item = this.#entryOf(content)
    if (item !== null) this.#begin({ item, start, placed: true })
    else if (this.#open === null || this.#open.placed)
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
