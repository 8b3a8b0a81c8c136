/** What of a rule is of version 2 alone: version 3 refuses it, or takes it and never matches. */
import { named } from '../place.ts'
import type { Rule } from './rule.ts'
import { textOf } from '../tree.ts'

/** Said of a router that is perhaps not at work today, and is as a record. */
export function syntaxNotes(rule: Rule, syntax: unknown): string[] {
  if (textOf(syntax)?.toLowerCase() === 'v2') return []
  const [found] = oldForms(rule)
  return found === undefined
    ? []
    : [
        `the rule has ${found} of Traefik 2: with version 3 and its own rule syntax the router serves nothing today, and comes alive with the record`,
      ]
}

function oldForms(rule: Rule): readonly string[] {
  switch (rule.kind) {
    case 'not':
      return oldForms(rule.of)
    case 'any':
    case 'all':
      return rule.of.flatMap(oldForms)
    case 'match':
      if (rule.name === 'HostHeader') return ['the matcher `HostHeader`']
      if (rule.values.length > 1) return [`several values in ${named(rule.name)}`]
      return rule.values.filter((value) => value.includes('{')).map((value) => `the pattern ${named(value)}`)
  }
}
