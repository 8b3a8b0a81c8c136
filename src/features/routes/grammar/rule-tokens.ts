/**
 * The words of a Traefik rule. Traefik parses rules as Go expressions, so Go's lexical rules hold: comments are skipped,
 * a line break ends the expression where a name, a text or a ")" stands before it, backticks hold raw text without
 * carriage returns, double quotes take Go's escapes, and single quotes are no text at all.
 */
export interface RuleToken {
  readonly kind: 'name' | 'text' | '(' | ')' | ',' | '!' | '&&' | '||' | 'end'
  /** The name, or the text's value. */
  readonly text: string
  /** Characters from the start of the rule. */
  readonly at: number
}

/** Why a rule does not parse, as a clause. */
export class RuleFault extends Error {}

const BLANK = /[ \t\r]+|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const RAW = /`[^`]*`/y
const QUOTED = /"(?:[^"\\\n]|\\[^\n])*"/y
const MARK = /\|\||&&|[(),!]/y
const ENDING: ReadonlySet<string> = new Set(['name', 'text', ')'])

/** At least one token; the last is `end`. Throws RuleFault. Linear in the text's length. */
export function tokenize(text: string): readonly RuleToken[] {
  const tokens: RuleToken[] = []
  let at = 0
  while (at < text.length) {
    const blank = match(BLANK, text, at)
    if (blank !== null || text[at] === '\n') {
      const breaks = blank === null || (blank.startsWith('/*') && blank.includes('\n'))
      at += blank?.length ?? 1
      if (!breaks || !ENDING.has(tokens.at(-1)?.kind ?? '')) continue
      tokens.push({ kind: 'end', text: '', at })
      continue
    }
    if (tokens.at(-1)?.kind === 'end')
      throw new RuleFault('a line break ends it; put "&&" or "||" at the end of a line, not at the start')
    const token = next(text, at)
    tokens.push({ kind: token.kind, text: token.text, at })
    at += token.length
  }
  if (tokens.at(-1)?.kind !== 'end') tokens.push({ kind: 'end', text: '', at })
  return tokens
}

function next(text: string, at: number): Pick<RuleToken, 'kind' | 'text'> & { readonly length: number } {
  const mark = match(MARK, text, at)
  if (mark !== null) return { kind: mark as RuleToken['kind'], text: mark, length: mark.length }
  const name = match(NAME, text, at)
  if (name !== null) return { kind: 'name', text: name, length: name.length }
  const raw = match(RAW, text, at)
  if (raw !== null) return { kind: 'text', text: raw.slice(1, -1).replaceAll('\r', ''), length: raw.length }
  const quoted = match(QUOTED, text, at)
  if (quoted !== null) return { kind: 'text', text: unescape(quoted.slice(1, -1)), length: quoted.length }
  throw new RuleFault(`character ${at + 1} starts neither a matcher nor a text in backticks or double quotes`)
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gsu
const SINGLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
}

/** Go's escapes. Bytes above 0x7f, which would be halves of a character, are refused. */
function unescape(text: string): string {
  return text.replaceAll(
    ESCAPE,
    (whole, x?: string, u?: string, wide?: string, octal?: string, one?: string) => {
      if (one !== undefined) return SINGLE[one] ?? refuse(whole)
      const code = octal === undefined ? Number.parseInt((x ?? u ?? wide)!, 16) : Number.parseInt(octal, 8)
      const byte = x !== undefined || octal !== undefined
      const surrogate = code >= 0xd800 && code <= 0xdfff
      return code > (byte ? 0x7f : 0x10ffff) || surrogate ? refuse(whole) : String.fromCodePoint(code)
    },
  )
}

function refuse(escape: string): never {
  throw new RuleFault(`${escape.slice(0, 12)} is no escape that Go knows here`)
}
