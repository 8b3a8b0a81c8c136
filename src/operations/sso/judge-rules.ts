/** The rules beside the flags: what the file lacks, has too much or too weak, and whether the provider runs it. Pure. */
import { compareSite, extraRules, type SiteRules } from '../../model/access/compare.ts'
import { ANYBODY, decide, rulesFor } from '../../model/access/decide.ts'
import { nameOf, sampleHost } from '../../model/access/hosts.ts'
import type { Policy } from '../../model/access/rule.ts'
import type { RulesLook } from './desk.ts'
import type { Found, SsoCause, SsoEntry, SsoUnknown } from './report.ts'

export interface RulesFacts {
  /** What is saved. */
  readonly working: readonly SiteRules[]
  /** Whether what differs at a name, or at what a rule is written for, waits for a deploy. */
  readonly waits: (name: string) => boolean
  readonly look: RulesLook
  readonly can_load: boolean
  readonly path: string
}

type Listed = Found['entries'][number]

export function judgeRules(facts: RulesFacts): Found {
  const { working, look, path } = facts
  if (look.fault !== null)
    return {
      entries: working.map((site) => missing(site, facts)),
      unknown: [{ ...UNREADABLE, detail: `${path} holds no rules: ${look.fault}.` }],
    }
  return { entries: [...sites(facts), ...extra(facts), ...notLoaded(facts)], unknown: loadUnknown(facts) }
}

const UNREADABLE = {
  part: 'rules',
  domain: null,
  cause: 'unreadable',
  cure: 'It is replaced by the next pass, unless it was there before Plumbline.',
} as const

const sites = (facts: RulesFacts): readonly Listed[] =>
  facts.working.flatMap((site) => {
    const verdict = facts.look.rules === null ? 'missing' : compareSite(site, facts.look.rules)
    if (verdict === 'same') return []
    return verdict === 'missing' ? [missing(site, facts)] : [weaker(site, facts)]
  })

const missing = (site: SiteRules, facts: RulesFacts): Listed => ({
  list: 'missing_rule',
  domain: site.domain,
  ...cureFor(causeFor(site, facts)),
  detail:
    differenceIn(site, facts) ?? 'The rules file does not let in whom the record and its policy let in.',
})

const weaker = (site: SiteRules, facts: RulesFacts): Listed => ({
  list: 'weaker_policy',
  domain: site.domain,
  ...cureFor(causeFor(site, facts)),
  detail: differenceIn(site, facts) ?? 'The rules file lets in more than the record and its policy allow.',
})

/** The two policies in words, where they differ for everybody; null where only some people are concerned. */
function differenceIn({ domain, rules }: SiteRules, { look }: RulesFacts): string | null {
  if (look.rules === null) return null
  const host = sampleHost(domain)
  const now = decide(look.rules, host, ANYBODY).policy
  const wanted = decide({ default_policy: 'deny', rules }, host, ANYBODY).policy
  if (now === wanted) return null
  const why = rulesFor(look.rules.rules, host).length === 0 ? ', which is its default_policy' : ''
  return `By the rules file ${WHO[now]} (${now}${why}); by the record and its policy ${WHO[wanted]} (${wanted}).`
}

const WHO: Readonly<Record<Policy, string>> = {
  bypass: 'nobody has to sign in',
  one_factor: 'whoever signs in gets in',
  two_factor: 'whoever signs in with a second factor gets in',
  deny: 'nobody gets in who is not named',
}

/** What is not deployed as it is saved waits for its deploy; else somebody was at the file. */
const causeFor = ({ domain }: SiteRules, { waits }: RulesFacts): SsoCause =>
  waits(domain) ? 'pending_deploy' : 'edited'

export const cureFor = (cause: SsoCause): Pick<SsoEntry, 'cause' | 'cure'> => ({
  cause,
  cure:
    cause === 'pending_deploy'
      ? 'Deploy the domain.'
      : 'The next pass puts it right; while the mode is observe, ask for one with POST /api/reconcile or a deploy.',
})

function extra({ working, waits, look }: RulesFacts): readonly Listed[] {
  if (look.rules === null) return []
  const { rules } = look
  return extraRules(working, rules).map((rule) => {
    const { domain, policy } = rule
    const name = nameOf(domain)
    return {
      list: 'extra_rule',
      domain: name,
      ...cureFor(waits(name) ? 'pending_deploy' : 'edited'),
      detail: rules.rules.includes(rule)
        ? `The rules file has a rule (${policy}) that no record asks for.`
        : `The default_policy of the rules file is ${policy}: for every name without a rule, ${WHO[policy]}. It should be deny.`,
    }
  })
}

const notLoaded = ({ working, look }: RulesFacts): readonly Listed[] =>
  look.loaded !== false
    ? []
    : working.map(({ domain }) => ({
        list: 'not_loaded',
        domain,
        cause: 'written_not_loaded',
        detail: 'The SSO provider has not been started since the rules file was changed.',
        cure: 'The next pass restarts it; where that fails, restart it by hand and look at its log.',
      }))

const loadUnknown = ({ look, can_load }: RulesFacts): readonly SsoUnknown[] =>
  look.loaded !== null || look.rules === null
    ? []
    : [
        {
          part: 'loaded',
          domain: null,
          cause: can_load ? 'unreadable' : 'not_configured',
          detail: 'Nobody can tell whether the SSO provider runs what the rules file says.',
          cure: can_load
            ? 'See that the way in which PLUMBLINE_SSO_RESTART restarts it can be reached.'
            : 'Set PLUMBLINE_SSO_RESTART.',
        },
      ]
