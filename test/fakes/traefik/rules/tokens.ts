/** The tokens of a Go expression, which is what a rule is: two kinds of literals, comments, and newlines that end it. */

export type Token =
  | { readonly kind: 'name' | 'text'; readonly value: string }
  | { readonly kind: '(' | ')' | ',' | '!' | '&&' | '||' | ';' }

const SIMPLE = ['&&', '||', '(', ')', ',', '!'] as const
const SPACE = /[ \t\r]+/y
const NAME = /[\p{L}_][\p{L}\p{Nd}_.]*/uy
const RAW = /`[^`]*`/y
const QUOTED = /"(?:[^"\\\n]|\\.)*"/y
const LINE_COMMENT = /\/\/[^\n]*/y
const COMMENT = /\/\*[^]*?\*\//y

/** @throws where Go's scanner does. */
export function tokensOf(rule: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(rule)?.[0] ?? null
    if (found !== null) at += found.length
    return found
  }
  const endLine = () => {
    if (endsOperand(tokens.at(-1))) tokens.push({ kind: ';' })
  }
  while (at < rule.length) {
    if (take(SPACE) !== null || take(LINE_COMMENT) !== null) continue
    const comment = take(COMMENT)
    if (comment !== null) {
      if (comment.includes('\n')) endLine()
      continue
    }
    if (rule[at] === '\n') {
      at++
      endLine()
      continue
    }
    const simple = SIMPLE.find((one) => rule.startsWith(one, at))
    if (simple !== undefined) {
      at += simple.length
      tokens.push({ kind: simple })
      continue
    }
    tokens.push(literal(take) ?? unexpected(rule, at))
  }
  return tokens
}

function literal(take: (pattern: RegExp) => string | null): Token | null {
  const name = take(NAME)
  if (name !== null) return { kind: 'name', value: name }
  // Carriage returns are discarded from raw strings (Go specification, "String literals").
  const raw = take(RAW)
  if (raw !== null) return { kind: 'text', value: raw.slice(1, -1).replaceAll('\r', '') }
  const quoted = take(QUOTED)
  return quoted === null ? null : { kind: 'text', value: unquoted(quoted.slice(1, -1)) }
}

/** Go inserts a semicolon where a line ends after an operand. */
const endsOperand = (token: Token | undefined): boolean =>
  token !== undefined && ['name', 'text', ')'].includes(token.kind)

function unexpected(rule: string, at: number): never {
  if (rule[at] === "'") throw new Error(`1:${at + 1}: illegal rune literal`)
  if (rule[at] === '"' || rule[at] === '`') throw new Error(`1:${at + 1}: string literal not terminated`)
  throw new Error(`1:${at + 1}: illegal character ${JSON.stringify(rule[at])}`)
}

const SINGLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
}
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{3})|([abfnrtv\\"])|([^]?))/g

/** Go's escapes: `\u0060` is one, `\/` is none, half of a surrogate pair is none. */
function unquoted(text: string): string {
  return text.replace(ESCAPE, (all, short, long, hex, octal, single) => {
    if (single !== undefined) return SINGLE[single as string]!
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex as string, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal as string, 8))
    const digits = (short ?? long) as string | undefined
    if (digits === undefined) throw new Error(`unknown escape sequence ${String(all)}`)
    const code = Number.parseInt(digits, 16)
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw new Error('escape sequence is invalid Unicode code point')
    return String.fromCodePoint(code)
  })
}
