/** A rule as a tree: `!` binds tightest, then `&&`, then `||`. */
import { type Token, tokensOf } from './tokens.ts'

export type Rule =
  | { readonly kind: 'matcher'; readonly name: string; readonly values: readonly string[] }
  | { readonly kind: 'not'; readonly rule: Rule }
  | { readonly kind: 'and' | 'or'; readonly left: Rule; readonly right: Rule }

/** @throws where Go's expression parser does. */
export function parseRule(text: string): Rule {
  const tokens = [...tokensOf(text)]
  while (tokens.at(-1)?.kind === ';') tokens.pop()
  const left = { tokens, at: 0 }
  const rule = either(left)
  if (left.at < tokens.length) throw expected('no more operands', tokens[left.at])
  return rule
}

interface Reading {
  readonly tokens: readonly Token[]
  at: number
}

function either(reading: Reading): Rule {
  let rule = both(reading)
  while (skip(reading, '||')) rule = { kind: 'or', left: rule, right: both(reading) }
  return rule
}

function both(reading: Reading): Rule {
  let rule = one(reading)
  while (skip(reading, '&&')) rule = { kind: 'and', left: rule, right: one(reading) }
  return rule
}

function one(reading: Reading): Rule {
  if (skip(reading, '!')) return { kind: 'not', rule: one(reading) }
  if (skip(reading, '(')) {
    const rule = either(reading)
    need(reading, ')')
    return rule
  }
  const token = reading.tokens[reading.at]
  if (token?.kind !== 'name') throw expected('operand', token)
  reading.at++
  need(reading, '(')
  return { kind: 'matcher', name: token.value, values: values(reading) }
}

function values(reading: Reading): readonly string[] {
  const found: string[] = []
  while (!skip(reading, ')')) {
    const token = reading.tokens[reading.at]
    if (token?.kind !== 'text') throw expected('a string literal', token)
    reading.at++
    found.push(token.value)
    // A comma may stand before the closing parenthesis.
    if (!skip(reading, ',')) {
      need(reading, ')')
      break
    }
  }
  return found
}

function skip(reading: Reading, kind: Token['kind']): boolean {
  if (reading.tokens[reading.at]?.kind !== kind) return false
  reading.at++
  return true
}

function need(reading: Reading, kind: Token['kind']): void {
  if (!skip(reading, kind)) throw expected(`'${kind}'`, reading.tokens[reading.at])
}

const expected = (what: string, token: Token | undefined): Error =>
  new Error(`expected ${what}, found '${token === undefined ? 'EOF' : token.kind}'`)
