/**
 * The rules file's text: the whole `access_control` section, which Authelia takes from one file or not at all (lists of
 * several files replace each other). Pure: the same sites give the same bytes. The last rule refuses everything, because
 * Authelia takes no empty list of rules beside a default of `deny`.
 */
import type { SiteRules } from '../../../model/access/compare.ts'
import { everything } from '../../../model/access/hosts.ts'
import { type AccessRule, plainRule } from '../../../model/access/rule.ts'
import { quote } from '../../../kernel/text/quoted.ts'

const HEADER =
  '# Written by Plumbline; edits are undone.\n# The first rule that matches decides. Change domains through Plumbline.\n'

export const renderRules = (sites: readonly SiteRules[]): string =>
  `${HEADER}access_control:\n  default_policy: "deny"\n  rules:\n` +
  rulesText([...sites.flatMap(({ rules }) => rules), plainRule(everything, 'deny')])

/** Entries of `rules`. Our own have no networks, methods or queries; somebody else's are shown in the same form. */
export const rulesText = (rules: readonly AccessRule[]): string => rules.map(ruleText).join('')

function ruleText({ domain, policy, subjects, resources, networks, methods, query }: AccessRule): string {
  const key = domain.kind === 'literal' ? 'domain' : 'domain_regex'
  return (
    `    - ${key}: ${quote(domain.text)}\n` +
    `      policy: ${quote(policy)}\n` +
    listText('subject', subjects.map(alternative)) +
    listText('resources', resources.map(quote)) +
    listText('networks', networks.map(quote)) +
    listText('methods', methods.map(quote)) +
    listText('query', query.map(quote))
  )
}

/** What must hold together is a list within the list. */
const alternative = (all: readonly string[]): string =>
  all.length === 1 ? quote(all[0]!) : `[${all.map(quote).join(', ')}]`

const listText = (key: string, entries: readonly string[]): string =>
  entries.length === 0 ? '' : `      ${key}:\n${entries.map((entry) => `        - ${entry}\n`).join('')}`
