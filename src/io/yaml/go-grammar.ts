/**
 * Where Go's reader of YAML (go-yaml v3: Authelia, Traefik) refuses what ours takes, token by token. A file that only we can
 * read is no file to it. Source: its `readerc.go` and `scannerc.go`; test/fuzz/yaml/go-yaml.deep.test.ts puts both
 * side by side.
 */
import { CST } from 'yaml'
import { escapeFault } from './go-escapes.ts'

/** Its reader takes these two for control characters wherever they stand. */
const NON_CHARACTERS = /[\ufffe\uffff]/

export const goStray = (text: string): RegExpExecArray | null => NON_CHARACTERS.exec(text)

/** One `{` or `[`, and what stands in it since the last comma. */
interface Flow {
  /** Something stands there that may turn out to be a key. */
  begun: boolean
  /** It goes on beyond its line, which a key must not. */
  broken: boolean
}

export class GoGrammar {
  readonly #flows: Flow[] = []
  /** Nothing but blanks since the line began. */
  #line_start = true
  /** How many; and how many stood before the last text, as far in as a tab must be to go on with it. */
  #blanks_before = 0
  #indent = 0
  /** Blanks after a text without quotes belong to it as long as no comment comes in between. */
  #after_plain = false
  /** A dash, after which a tab is no blank. */
  #after_dash = false
  #block_header = false
  /** A key has ended on this line, outside of all brackets. */
  #keyed = false
  /** A colon right behind a text without quotes: with a bracket behind it in turn, it is part of that text. */
  #tight_colon = false

  /**
   * The end of a sentence where the lexeme is refused.
   * @param content it stands behind a scalar mark, so it is text whatever it looks like
   */
  fault(lexeme: string, content: boolean): string | null {
    if (content) return this.#text(lexeme)
    switch (CST.tokenType(lexeme)) {
      case 'space':
        return this.#blanks(lexeme)
      case 'newline':
        return this.#newline()
      case 'doc-mode':
      case 'byte-order-mark':
        return null
      case 'comment':
        this.#after_plain = false
        return null
      case 'anchor':
      case 'alias':
        this.#token()
        return /^[&*][A-Za-z0-9_-]+$/.test(lexeme)
          ? null
          : 'has an anchor of more than letters, digits, "_" and "-"'
      case 'double-quoted-scalar':
        this.#value(lexeme)
        return escapeFault(lexeme)
      case 'single-quoted-scalar':
        this.#value(lexeme)
        return null
      case 'flow-map-start':
      case 'flow-seq-start':
        return this.#bracket()
      case 'flow-map-end':
      case 'flow-seq-end':
        this.#token()
        this.#flows.pop()
        return null
      case 'comma':
        this.#token()
        Object.assign(this.#flows.at(-1) ?? {}, { begun: false, broken: false })
        return null
      case 'map-value-ind':
        return this.#colon()
      case 'block-scalar-header':
        this.#token()
        this.#block_header = !/[1-9]/.test(lexeme)
        return null
      case 'seq-item-ind':
        this.#token()
        this.#after_dash = true
        return null
      case 'scalar':
        return null
      case null:
      case 'directive-line':
      case 'doc-start':
      case 'doc-end':
      case 'explicit-key-ind':
      case 'flow-error-end':
      case 'tag':
        this.#token()
        return null
    }
  }

  #token(): void {
    if (this.#line_start) this.#indent = this.#blanks_before
    this.#line_start = this.#after_plain = this.#after_dash = this.#tight_colon = false
  }

  #bracket(): string | null {
    const runs_on = this.#tight_colon && this.#flows.length > 0
    this.#value('')
    this.#flows.push({ begun: false, broken: false })
    return runs_on ? 'has a bracket right behind a ":"; put a blank in between' : null
  }

  #value(text: string): void {
    this.#token()
    const flow = this.#flows.at(-1)
    if (flow !== undefined) flow.begun = true
    if (text.includes('\n')) this.#break()
  }

  #break(): void {
    for (const flow of this.#flows) if (flow.begun) flow.broken = true
  }

  #newline(): null {
    this.#line_start = true
    this.#blanks_before = 0
    this.#after_dash = this.#tight_colon = this.#keyed = false
    this.#break()
    return null
  }

  /** A tab is a blank within a line only, and at the start of one it ends any text. */
  #blanks(lexeme: string): string | null {
    const at = lexeme.indexOf('\t')
    const goes_on = this.#after_plain && this.#blanks_before + at > this.#indent
    this.#blanks_before += lexeme.length
    this.#tight_colon = false
    if (at === -1 || this.#flows.length > 0) return null
    const indents = this.#after_dash || (this.#line_start && !goes_on)
    return indents ? 'begins with a tab; indent with blanks' : null
  }

  #colon(): string | null {
    const flow = this.#flows.at(-1)
    const is_tight = this.#after_plain
    this.#token()
    this.#tight_colon = is_tight
    if (flow === undefined) {
      const is_second = this.#keyed
      this.#keyed = true
      return is_second ? 'has a second ":" on its line; put what is behind the first into quotes' : null
    }
    const { begun, broken } = flow
    Object.assign(flow, { begun: false, broken: false })
    if (!begun) return 'has a value without a key'
    return broken ? 'has a key that does not end on its line' : null
  }

  #text(text: string): string | null {
    if (this.#block_header) {
      this.#block_header = false
      // The text ends with its last line.
      this.#line_start = true
      this.#keyed = false
      return /^(?: *\n)* *\t/.test(text) ? 'begins with a tab; indent with blanks' : null
    }
    this.#value(text)
    this.#after_plain = text !== ''
    if (this.#flows.length === 0) return null
    if (text.includes('?')) return 'holds a "?" within brackets; put the text in quotes'
    return text.startsWith(':') ? 'has a text that begins with ":"; put it in quotes' : null
  }
}
