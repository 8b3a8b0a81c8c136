/**
 * From the bytes of a master file to its entries (RFC 1035 §5.1), every word with its place, so that a single word or line
 * can be changed and all else stays. The text is Latin-1: one character per byte, whatever the bytes mean.
 */
import type { Token } from '../tokens.ts'
import { ZoneFault } from './zone-fault.ts'

export interface PlacedToken extends Token {
  /** Where it begins, its quote included. */
  readonly start: number
}

/** A record or directive with the whole lines that it stands on. Blank lines and lines of comment belong to none. */
export interface Entry {
  readonly start: number
  /** After the line's end. */
  readonly end: number
  readonly line: number
  /** Begins with a blank: the owner is that of the record before. */
  readonly indented: boolean
  readonly tokens: readonly PlacedToken[]
  /** Of the last line, without the semicolon; null for none. Latin-1 as all. */
  readonly comment: string | null
}

const WORD_END = /[ \t\r\n"();]/
const LINE_END = /\n|$/g
// Control characters other than tab, line feed and carriage return.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/ // eslint-disable-line no-control-regex
// A word in plain sight; one with a backslash takes the slow way.
const PLAIN_WORD = /[^ \t\r\n"();\\]+/y

/** Throws ZoneFault at the first line that no server would read. */
export function* scan(text: string): Generator<Entry> {
  if (text.startsWith('\u00ef\u00bb\u00bf'))
    throw new ZoneFault(1, 'begins with a byte order mark; save the file without one')
  const control = CONTROL.exec(text)
  if (control !== null)
    throw new ZoneFault(lineOf(text, control.index), 'holds a control character; write it as \\DDD')
  for (let at = 0, line = 1; at < text.length;) {
    const scanner = new EntryScanner(text, at, line)
    const entry = scanner.read()
    if (entry.tokens.length > 0) yield entry
    at = entry.end
    line = scanner.line
  }
}

class EntryScanner {
  readonly #text: string
  readonly #start: number
  readonly #first_line: number
  line: number
  #at: number
  #depth = 0
  #comment: string | null = null
  readonly #tokens: PlacedToken[] = []

  constructor(text: string, start: number, line: number) {
    this.#text = text
    this.#start = start
    this.#at = start
    this.#first_line = line
    this.line = line
  }

  read(): Entry {
    while (this.#step());
    if (this.#depth > 0) throw new ZoneFault(this.#first_line, 'opens a parenthesis that is never closed')
    return {
      start: this.#start,
      end: this.#at,
      line: this.#first_line,
      indented: /[ \t\r]/.test(this.#text[this.#start] ?? ''),
      tokens: this.#tokens,
      comment: this.#comment,
    }
  }

  /** One character or word; false after the end of the entry. */
  #step(): boolean {
    const char = this.#text[this.#at]
    switch (char) {
      case undefined:
        return false
      case '\n':
        this.line++
        this.#at++
        if (this.#depth > 0) this.#comment = null
        return this.#depth > 0
      case ' ':
      case '\t':
      case '\r':
        this.#at++
        return true
      case ';':
        this.#skipComment()
        return true
      case '(':
      case ')':
        this.#parenthesis(char)
        return true
      case '"':
        this.#quotedWord()
        return true
      default:
        this.#word()
        return true
    }
  }

  #parenthesis(char: string): void {
    this.#depth += char === '(' ? 1 : -1
    if (this.#depth < 0) throw new ZoneFault(this.line, 'closes a parenthesis that was not opened')
    if (this.#depth > 1) throw new ZoneFault(this.line, 'opens a parenthesis inside another')
    this.#at++
  }

  #skipComment(): void {
    LINE_END.lastIndex = this.#at
    const { index } = LINE_END.exec(this.#text)!
    this.#comment = this.#text.slice(this.#at + 1, index)
    this.#at = index
  }

  #quotedWord(): void {
    const start = this.#at
    this.#skipQuoted()
    this.#add(start, this.#text.slice(start + 1, this.#at - 1), true)
  }

  #skipQuoted(): void {
    this.#at++
    for (;;) {
      const char = this.#text[this.#at]
      if (char === '"') break
      this.#at += char === '\\' ? 2 : 1
      if (char === undefined || char === '\n' || this.#text[this.#at - 1] === '\n')
        throw new ZoneFault(this.line, 'opens a quoted string that is not closed on its line')
    }
    this.#at++
  }

  /** A quoted part may follow inside it, as in `alpn="h2,h3"` (RFC 9460 §2.1). */
  #word(): void {
    const start = this.#at
    for (;;) {
      PLAIN_WORD.lastIndex = this.#at
      if (PLAIN_WORD.test(this.#text)) this.#at = PLAIN_WORD.lastIndex
      const char = this.#text[this.#at]
      if (char === '"') this.#skipQuoted()
      else if (char === '\\') this.#skipEscape()
      else break
    }
    this.#add(start, this.#text.slice(start, this.#at), false)
  }

  #skipEscape(): void {
    const escaped = this.#text[this.#at + 1]
    if (escaped === undefined || escaped === '\n' || escaped === '\r')
      throw new ZoneFault(this.line, 'ends a line inside an escape')
    this.#at += 2
  }

  #add(start: number, text: string, quoted: boolean): void {
    const next = this.#text[this.#at] ?? '\n'
    // Strings may touch each other, as in keys for mail that were cut at 255 octets.
    if (!WORD_END.test(next)) throw new ZoneFault(this.line, 'has words without a blank between them')
    this.#tokens.push({ text, quoted, start })
  }
}

function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
