/**
 * The rules file's text: the whole `access_control` section, which Authelia takes from one file or not at all (lists of
 * several files replace each other). Pure: the same sites give the same bytes. The last rule refuses everything, because
 * Authelia takes no empty list of rules beside a default of `deny`.
 */
import type { SiteRules } from '../../model/access/compare.ts'
import { everything } from '../../model/access/hosts.ts'
import { type AccessRule, plainRule } from '../../model/access/rule.ts'
import { quote } from '../../kernel/quoted.ts'

const HEADER =
  '# Written by Plumbline; edits are undone.\n# The first rule that matches decides. Change domains through Plumbline.\n'

export const renderRules = (sites: readonly SiteRules[]): string =>
  `${HEADER}access_control:\n  default_policy: "deny"\n  rules:\n` +
  [...sites.flatMap(({ rules }) => rules), plainRule(everything, 'deny')].map(ruleText).join('')

/** Our own rules have no networks, methods or queries; what they have stands in Authelia's order. */
function ruleText({ domain, policy, subjects, resources }: AccessRule): string {
  const key = domain.kind === 'literal' ? 'domain' : 'domain_regex'
  return (
    `    - ${key}: ${quote(domain.text)}\n` +
    `      policy: ${quote(policy)}\n` +
    listText(
      'subject',
      subjects.map((all) => all[0]!),
    ) +
    listText('resources', resources)
  )
}

const listText = (key: string, entries: readonly string[]): string =>
  entries.length === 0
    ? ''
    : `      ${key}:\n${entries.map((entry) => `        - ${quote(entry)}\n`).join('')}`
