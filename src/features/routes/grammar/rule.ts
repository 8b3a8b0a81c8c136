/**
 * Traefik's routing rules as a tree. Version 3's grammar and what version 2 writes differently in it (several values per
 * matcher); whether a matcher makes sense is not judged here.
 *
 *   rule    = and { "||" and }          matcher = name "(" text { "," text } ")"
 *   and     = unary { "&&" unary }      text    = `raw` | "with Go escapes"
 *   unary   = "!" unary | "(" rule ")" | matcher
 */
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { named } from './named.ts'
import { RuleFault, type RuleToken, tokenize } from './rule-tokens.ts'

export type Rule =
  | { readonly kind: 'any' | 'all'; readonly of: readonly Rule[] }
  | { readonly kind: 'not'; readonly of: Rule }
  | { readonly kind: 'match'; readonly name: string; readonly values: readonly string[] }

export type ParsedRule =
  | { readonly ok: true; readonly rule: Rule }
  /** `reason` is the end of a sentence. */
  | { readonly ok: false; readonly reason: string }

const MAX_RULE = 64 * 1024
const DEEPEST_RULE = 64

export const HTTP_MATCHERS = [
  'Host',
  'HostRegexp',
  'Path',
  'PathPrefix',
  'PathRegexp',
  'Method',
  'Header',
  'HeaderRegexp',
  'Query',
  'QueryRegexp',
  'ClientIP',
  // version 2
  'Headers',
  'HeadersRegexp',
  'HostHeader',
] as const

export const TCP_MATCHERS = ['HostSNI', 'HostSNIRegexp', 'ClientIP', 'ALPN'] as const

/** Never throws and never recurses deeper than `DEEPEST_RULE`, whatever the text. */
export function parseRule(text: string, matchers: readonly string[]): ParsedRule {
  if (text.length > MAX_RULE) return { ok: false, reason: `has a rule of more than ${MAX_RULE} characters` }
  try {
    return { ok: true, rule: new RuleParser(tokenize(text), spellings(matchers)).whole() }
  } catch (error) {
    if (error instanceof RuleFault)
      return { ok: false, reason: `has a rule that does not parse: ${error.message}` }
    throw error
  }
}

/** Traefik takes a matcher's name as defined, in lower, upper and title case. */
function spellings(matchers: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    matchers.flatMap((name) =>
      [name, name.toLowerCase(), name.toUpperCase(), name[0]! + name.slice(1).toLowerCase()].map(
        (spelling) => [spelling, name] as const,
      ),
    ),
  )
}

class RuleParser {
  readonly #tokens: readonly RuleToken[]
  readonly #matchers: ReadonlyMap<string, string>
  #next = 0
  #depth = 0

  constructor(tokens: readonly RuleToken[], matchers: ReadonlyMap<string, string>) {
    this.#tokens = tokens
    this.#matchers = matchers
  }

  whole(): Rule {
    const rule = this.#or()
    this.#take('end')
    return rule
  }

  #or(): Rule {
    return this.#chain('any', '||', () => this.#chain('all', '&&', () => this.#unary()))
  }

  #chain(kind: 'any' | 'all', operator: '||' | '&&', operand: () => Rule): Rule {
    const of = [operand()]
    while (this.#peek().kind === operator) {
      this.#next++
      of.push(operand())
    }
    return of.length === 1 ? of[0]! : { kind, of }
  }

  #unary(): Rule {
    if (++this.#depth > DEEPEST_RULE) throw new RuleFault(`it is nested deeper than ${DEEPEST_RULE} levels`)
    const rule = this.#operand()
    this.#depth--
    return rule
  }

  #operand(): Rule {
    const token = this.#peek()
    if (token.kind === '!') {
      this.#next++
      return { kind: 'not', of: this.#unary() }
    }
    if (token.kind !== '(') return this.#matcher()
    this.#next++
    const rule = this.#or()
    this.#take(')')
    return rule
  }

  #matcher(): Rule {
    const { text } = this.#take('name')
    const name = this.#matchers.get(text)
    if (name === undefined)
      throw new RuleFault(
        `${named(text)} is no matcher.${didYouMean(text, new Set(this.#matchers.values()))}`,
      )
    this.#take('(')
    const values = [this.#take('text').text]
    while (this.#peek().kind === ',') {
      this.#next++
      if (this.#peek().kind === ')') break
      values.push(this.#take('text').text)
    }
    this.#take(')')
    return { kind: 'match', name, values }
  }

  #peek(): RuleToken {
    return this.#tokens[this.#next]!
  }

  #take(kind: RuleToken['kind']): RuleToken {
    const token = this.#peek()
    if (token.kind !== kind)
      throw new RuleFault(`${WORDS[kind]} is expected at character ${token.at + 1}, not ${WORDS[token.kind]}`)
    if (kind !== 'end') this.#next++
    return token
  }
}

const WORDS: Readonly<Record<RuleToken['kind'], string>> = {
  name: 'a matcher',
  text: 'a quoted text',
  '(': '"("',
  ')': '")"',
  ',': '","',
  '!': '"!"',
  '&&': '"&&"',
  '||': '"||"',
  end: 'the end',
}
