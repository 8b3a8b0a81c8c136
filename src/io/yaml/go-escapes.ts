/**
 * Escapes in double quotes, where Go's reader of YAML takes less than ours does, and the one spelling of that kind that was
 * ours: characters beyond U+FFFF as two escapes. It refuses the whole file for one of these.
 */
import { CST, Lexer } from 'yaml'

const ESCAPES = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/g
/** `\/` is none of them. */
const SINGLE = /[0abt\tnvfre "'\\N_LP\r\n]/

/** What it refuses in a text in double quotes, as the end of a sentence; null for nothing. */
export function escapeFault(quoted: string): string | null {
  for (const [all, two, four, eight, single] of quoted.matchAll(ESCAPES)) {
    const taken =
      single === undefined ? isCharacter(Number.parseInt((two ?? four ?? eight)!, 16)) : SINGLE.test(single)
    if (!taken) return `holds the escape ${all}; write the character itself`
  }
  return null
}

const isCharacter = (code: number): boolean => code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)

const PAIR = /\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\[^]/g

/** The same text with each pair of surrogates, in double quotes, as the one escape that it stands for. */
export function withoutPairs(text: string): string {
  if (!/\\u[dD][89abAB]/.test(text)) return text
  let result = ''
  let content = false
  for (const lexeme of new Lexer().lex(text)) {
    if (content || !MARKS.has(lexeme)) result += content || lexeme[0] !== '"' ? lexeme : respelt(lexeme)
    content = lexeme === CST.SCALAR
  }
  return result
}

/** Lexemes that stand for no character of the text. */
const MARKS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR])

const respelt = (quoted: string): string =>
  quoted.replace(PAIR, (all, high?: string, low?: string) => {
    if (high === undefined || low === undefined) return all
    const units = [high, low].map((digits) => Number.parseInt(digits, 16))
    return `\\U${String.fromCharCode(...units)
      .codePointAt(0)!
      .toString(16)
      .padStart(8, '0')}`
  })
