/**
 * From text to the library's syntax tokens, with everything refused on the way that the next step could not bear.
 *
 * That next step, composing nodes, is recursive: nested deeply enough it runs out of stack, and a second such text in
 * the same process has aborted Node itself, with nothing to catch. The lexer and the token parser are loops, so the
 * depth is counted here, while tokens come in, and before any node is made. What a plain document does not need
 * (anchors, aliases, tags, directives, complex keys, several documents) is refused at its first sign.
 */
import { CST, Lexer, Parser } from 'yaml'
import { DEEPEST_NESTING } from '../../ports/documents.ts'
import { YamlFault } from './fault.ts'
import { GoGrammar, goStray } from './go-grammar.ts'

export type Refused = Readonly<Record<string, string>>

export interface ScanOptions {
  /** Lexemes that are not taken, each with the end of a sentence. */
  readonly refused?: Refused
  /** `go`: what Go's reader of YAML refuses is refused, too. */
  readonly reader?: 'any' | 'go'
  /** What follows the first document is not looked at, as Go's reader does not look at it. */
  readonly first_only?: boolean
}

const REFUSED: Refused = {
  alias: 'uses an alias ("*name"); write the value out',
  anchor: 'uses an anchor ("&name"); write the value out where it is needed',
  tag: 'uses a tag ("!type"); quote the text if it starts with "!"',
  'directive-line': 'starts with "%", a YAML directive; leave it out',
  'explicit-key-ind': 'uses a complex key ("? "); keys must be plain words',
}

/**
 * Raw characters that readers of YAML disagree about or that YAML forbids: controls, a carriage return on its own, the
 * line separators that YAML 1.1 knows and 1.2 does not, a byte-order mark inside, halves of surrogate pairs.
 */
const STRAY =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]|\r(?!\n)|(?<=[^])\ufeff|\p{Surrogate}/u

/** The tokens of at most one document. Throws YamlFault. */
export function scan(
  text: string,
  { refused = REFUSED, reader = 'any', first_only = false }: ScanOptions = {},
): CST.Token[] {
  const stray = STRAY.exec(text) ?? (reader === 'go' ? goStray(text) : null)
  if (stray !== null)
    throw new YamlFault(stray.index, `holds the character ${codePoint(stray[0])}; escape it in double quotes`)
  const parser = new Parser()
  const tokens: CST.Token[] = []
  for (const lexeme of lexemes(text, parser, { refused, reader, first_only })) {
    for (const token of parser.next(lexeme)) tokens.push(accepted(token))
    if (parser.stack.length > DEEPEST_NESTING) checkDepth(parser)
  }
  for (const token of parser.end()) tokens.push(accepted(token))
  return oneDocument(tokens)
}

/** Lexemes after a look at each. The one behind a scalar mark is content and may look like anything. */
function* lexemes(
  text: string,
  parser: Parser,
  { refused, reader, first_only }: Required<ScanOptions>,
): Generator<string> {
  const grammar = reader === 'go' ? new GoGrammar() : null
  let content = false
  let begun = false
  for (const lexeme of new Lexer().lex(text)) {
    const type = content ? null : CST.tokenType(lexeme)
    if (first_only && begun && (type === 'doc-start' || type === 'doc-end')) return
    begun ||= content || !BEFORE_ALL.has(type)
    const refusal = content ? undefined : refused[type ?? '']
    const fault = refusal ?? grammar?.fault(lexeme, content) ?? null
    if (fault !== null) throw new YamlFault(parser.offset, fault)
    content = lexeme === CST.SCALAR
    yield lexeme
  }
}

/** What may stand before a document without being part of one. */
const BEFORE_ALL: ReadonlySet<CST.TokenType | null> = new Set([
  'byte-order-mark',
  'doc-mode',
  'space',
  'newline',
  'comment',
  'directive-line',
])

function checkDepth(parser: Parser): void {
  if (parser.stack.filter((token) => CST.isCollection(token)).length > DEEPEST_NESTING)
    throw new YamlFault(parser.offset, `is nested deeper than ${DEEPEST_NESTING} levels`)
}

function accepted(token: CST.Token): CST.Token {
  if (token.type === 'error') throw new YamlFault(token.offset, `is not YAML here: ${token.message}`)
  return token
}

function oneDocument(tokens: CST.Token[]): CST.Token[] {
  const second = tokens.filter((token) => token.type === 'document')[1]
  if (second === undefined) return tokens
  throw new YamlFault(second.offset, 'starts a second document; only one is read')
}

const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
