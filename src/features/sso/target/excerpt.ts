/**
 * What the rules say of single domains, as text: those that are asked for, and those by which the file decides, whatever form
 * somebody gave them. Equal rules give equal texts.
 */
import type { Excerpt } from '../../../engine/target.ts'
import { rulesFor } from '../../../model/access/decide.ts'
import { nameOf, sampleHost } from '../../../model/access/hosts.ts'
import type { AccessRule, AccessRules } from '../../../model/access/rule.ts'
import { visible } from '../../../kernel/text/visible.ts'
import type { SsoDesired } from './desire.ts'
import type { SsoObserved } from './diff.ts'
import { rulesText } from './render.ts'

/** A stranger's rules for one name may be as many as they like; nobody reads further than this. */
const MAX_SHOWN = 100
const MAX_FAULT = 300

export const ssoExcerpt: Excerpt<SsoDesired, SsoObserved> = {
  desired: ({ sites }, domains) =>
    textOf(sites.filter(({ domain }) => domains.includes(domain)).flatMap(({ rules }) => rules)),
  observed: ({ look, rules, fault }, domains) => {
    if (rules !== null) return textOf(domains.flatMap((domain) => decisive(domain, rules)))
    return look.kind === 'absent'
      ? null
      : `# There are no rules to show: ${visible(fault ?? 'they cannot be read').slice(0, MAX_FAULT)}.\n`
  },
}

/** In their order, up to the one that nothing gets past; none where nothing in the file is written for this name. */
function decisive(domain: string, { rules }: AccessRules): readonly AccessRule[] {
  if (!rules.some((rule) => nameOf(rule.domain).toLowerCase() === domain)) return []
  return rulesFor(rules, sampleHost(domain))
}

function textOf(rules: readonly AccessRule[]): string | null {
  if (rules.length === 0) return null
  const beyond = rules.length - MAX_SHOWN
  const more = beyond > 0 ? `    # … and ${beyond} rules more.\n` : ''
  return `access_control:\n  rules:\n${rulesText(rules.slice(0, MAX_SHOWN))}${more}`
}
