/** From the text of a rule to what says whether a request is meant, in Traefik's words where that fails. */
import { type IsMatch, type Matcher, type Matchers } from './matchers.ts'
import { parseRule, type Rule } from './parse.ts'

/** @throws where the muxer does: the router of this rule is disabled. */
export function compileRule<Facts>(text: string, matchers: Matchers<Facts>): IsMatch<Facts> {
  let rule: Rule
  try {
    rule = parseRule(text)
    checkNames(rule, matchers)
  } catch (error) {
    throw new Error(`error while parsing rule ${text}: ${(error as Error).message}`, { cause: error })
  }
  try {
    return matching(rule, matchers)
  } catch (error) {
    throw new Error(`error while adding rule ${text}: ${(error as Error).message}`, { cause: error })
  }
}

/** Without one of its own a router is as important as its rule is long, in bytes. */
export const rulePriority = (rule: string): number => Buffer.byteLength(rule)

function checkNames<Facts>(rule: Rule, matchers: Matchers<Facts>): void {
  if (rule.kind === 'matcher') {
    if (named(rule.name, matchers) === undefined) throw new Error(`unsupported function: ${rule.name}`)
  } else if (rule.kind === 'not') checkNames(rule.rule, matchers)
  else for (const side of [rule.left, rule.right]) checkNames(side, matchers)
}

function matching<Facts>(rule: Rule, matchers: Matchers<Facts>): IsMatch<Facts> {
  if (rule.kind === 'not') {
    const isMatch = matching(rule.rule, matchers)
    return (facts) => !isMatch(facts)
  }
  if (rule.kind === 'matcher') {
    const { counts, build } = named(rule.name, matchers)!
    if (!counts.includes(rule.values.length))
      throw new Error(
        `unexpected number of parameters; got ${rule.values.length}, expected one of [${counts.join(' ')}]`,
      )
    return build(...rule.values)
  }
  const [left, right] = [matching(rule.left, matchers), matching(rule.right, matchers)]
  return rule.kind === 'and' ? (facts) => left(facts) && right(facts) : (facts) => left(facts) || right(facts)
}

/** As it is defined, in lower or upper case, or with its first letter alone in upper case. */
function named<Facts>(name: string, matchers: Matchers<Facts>): Matcher<Facts> | undefined {
  const defined = Object.keys(matchers).find((one) => {
    const lower = one.toLowerCase()
    return [one, lower, one.toUpperCase(), lower[0]!.toUpperCase() + lower.slice(1)].includes(name)
  })
  return defined === undefined ? undefined : matchers[defined]
}
