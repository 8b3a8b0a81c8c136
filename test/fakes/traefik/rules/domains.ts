/** The hosts that the TLS part of an entry point knows of an HTTP rule: those of `Host()`, but for what it excludes. */
import { parseRule, type Rule } from './parse.ts'

export const domainsOf = (rule: string): readonly string[] => named(parseRule(rule), false)

function named(rule: Rule, is_excluded: boolean): readonly string[] {
  if (rule.kind === 'not') return named(rule.rule, !is_excluded)
  if (rule.kind !== 'matcher') return [...named(rule.left, is_excluded), ...named(rule.right, is_excluded)]
  return !is_excluded && rule.name.toLowerCase() === 'host' ? rule.values : []
}
