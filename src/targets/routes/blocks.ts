/**
 * Cuts the text of a routes file into named blocks, by our own indentation and without parsing YAML.
 *
 * The text may have been written by anyone: the scan is linear, never throws, and puts everything somewhere. An entry of
 * a section (`http:` / `  routers:` / `    "name":` and what is indented deeper) is the block `http.routers.name`;
 * whatever does not fit is a block `line N`, up to the next thing that does.
 */
export interface Block {
  readonly text: string
  /** Its first line, counted from 1. */
  readonly line: number
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

/** Lines deeper than an entry, many at a time, so that nearly all of a file passes without a step of ours; bounded, as is a pattern's memory. */
const DEEP_LINES = /(?: {5}[^\n]{0,2000}\n){1,200}/y

/** The blocks of a text by their item name, in the order of the text. Equal texts give equal blocks. */
export function scanBlocks(text: string): ReadonlyMap<string, Block> {
  const scan = new Scan(text)
  let start = 0
  let line = 1
  while (start < text.length) {
    const deep_end = scan.isOpen ? endOfDeepLines(text, start) : start
    if (deep_end > start) {
      line += newlines(text, start, deep_end)
      start = deep_end
      continue
    }
    const end = endOfLine(text, start)
    // A line too long for the pattern.
    if (!(scan.isOpen && text.startsWith('     ', start))) scan.read(start, end, line)
    line++
    start = end
  }
  return scan.finish()
}

function endOfDeepLines(text: string, start: number): number {
  DEEP_LINES.lastIndex = start
  return DEEP_LINES.test(text) ? DEEP_LINES.lastIndex : start
}

const endOfLine = (text: string, start: number): number => {
  const feed = text.indexOf('\n', start)
  return feed === -1 ? text.length : feed + 1
}

function newlines(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}

class Scan {
  readonly #text: string
  readonly #blocks = new Map<string, Block>()
  #root: string | null = null
  #section: string | null = null
  #open: { item: string; start: number; line: number; placed: boolean } | null = null

  constructor(text: string) {
    this.#text = text
  }

  get isOpen(): boolean {
    return this.#open !== null
  }

  /** One line that may start something. */
  read(start: number, end: number, line: number): void {
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
    if (item !== null) this.#begin(start, { item, line, placed: true })
    else if (this.#open === null || this.#open.placed)
      this.#begin(start, { item: `line ${line}`, line, placed: false })
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

  #begin(start: number, head: { item: string; line: number; placed: boolean }): void {
    this.#close(start)
    this.#open = { ...head, start }
  }

  #close(end: number): void {
    if (this.#open === null) return
    const { item, start, line, placed } = this.#open
    this.#blocks.set(item, { text: this.#text.slice(start, end), line, placed })
    this.#open = null
  }
}
