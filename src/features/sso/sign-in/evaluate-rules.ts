/** The rules beside the flags: what the file lacks, has too much or too weak, and whether the provider runs it. Pure. */
import { compareSite, extraRules, type SiteRules } from '../../../model/access/compare.ts'
import { ANYBODY, decide, rulesFor } from '../../../model/access/decide.ts'
import { nameOf, sampleHost } from '../../../model/access/hosts.ts'
import type { Policy } from '../../../model/access/rule.ts'
import { AWAITS_DEPLOY, type ExplainedDifference } from '../../../model/drift.ts'
import type { RulesLook } from '../service.ts'
import { keptCause } from '../provider/kept-cause.ts'
import type { SsoFindings, SsoCause, SsoEntry, SsoUnknown } from '../report.ts'

export interface RulesFacts {
  /** What is saved. */
  readonly working: readonly SiteRules[]
  /** What is deployed. */
  readonly released: readonly SiteRules[]
  /** Between the file and what is saved, as the engine tells them. */
  readonly differences: readonly ExplainedDifference[]
  readonly look: RulesLook
  readonly can_load: boolean
  readonly path: string
}

type Listed = SsoFindings['entries'][number]

export function evaluateRules(facts: RulesFacts): SsoFindings {
  const { working, look, path } = facts
  if (look.fault !== null)
    return {
      entries: working.map((site) => missing(site, facts)),
      unknown: [{ ...UNREADABLE, detail: `${path} holds no rules: ${look.fault}.` }],
    }
  const listed = [...sites(facts), ...extra(facts)]
  const entries = [...listed, ...unrecorded(listed, facts), ...notLoaded(facts)]
  return { entries, unknown: loadUnknown(facts) }
}

const UNREADABLE = {
  part: 'rules',
  domain: null,
  cause: 'unreadable',
  cure: 'It is replaced by the next pass, unless it was there before Plumbline.',
} as const

const sites = (facts: RulesFacts): readonly Listed[] =>
  facts.working.flatMap((site) => {
    const comparison = facts.look.rules === null ? 'missing' : compareSite(site, facts.look.rules)
    if (comparison === 'same') return []
    return comparison === 'missing' ? [missing(site, facts)] : [weaker(site, facts)]
  })

const missing = (site: SiteRules, facts: RulesFacts): Listed => ({
  list: 'missing_rule',
  domain: site.domain,
  ...cureFor(causeFor(site.domain, facts)),
  detail:
    differenceIn(site, facts) ?? 'The rules file does not let in whom the record and its policy let in.',
})

const weaker = (site: SiteRules, facts: RulesFacts): Listed => ({
  list: 'weaker_policy',
  domain: site.domain,
  ...cureFor(causeFor(site.domain, facts)),
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

/** Where the engine sees no difference any more, somebody was at the file between the two looks. */
const causeFor = (name: string, { differences }: RulesFacts): SsoCause =>
  keptCause(differences, name) ?? 'edited'

/** The file already shows what is saved, and what is deployed is something else: the next pass undoes it. */
function unrecorded(
  listed: readonly Listed[],
  { differences, released }: Pick<RulesFacts, 'differences' | 'released'>,
): readonly Listed[] {
  const reported = new Set(listed.map(({ domain }) => domain))
  const deployed = new Set(released.map(({ domain }) => domain))
  return differences
    .filter(({ cause, item }) => cause === 'applied_unrecorded' && !reported.has(item))
    .map(({ item, detail }) => ({
      list: deployed.has(item) ? 'missing_rule' : 'extra_rule',
      domain: item,
      ...cureFor('applied_unrecorded'),
      detail: `The rules file is not what is deployed: ${detail}.`,
    }))
}

export const cureFor = (cause: SsoCause): Pick<SsoEntry, 'cause' | 'cure'> => ({
  cause,
  cure: AWAITS_DEPLOY.has(cause)
    ? 'Deploy the domain.'
    : 'The next pass puts it right; while the mode is observe, ask for one with POST /api/reconcile or a deploy.',
})

function extra(facts: RulesFacts): readonly Listed[] {
  const { working, look } = facts
  if (look.rules === null) return []
  const { rules } = look
  return extraRules(working, rules).map((rule) => {
    const { domain, policy } = rule
    const name = nameOf(domain)
    return {
      list: 'extra_rule',
      domain: name,
      ...cureFor(causeFor(name, facts)),
      detail: rules.rules.includes(rule)
        ? `The rules file has a rule (${policy}) that no record asks for.`
        : `The default_policy of the rules file is ${policy}: for every name without a rule, ${WHO[policy]}. It should be deny.`,
    }
  })
}

/** Of a file that somebody else has changed it says nothing: what is wrong is the file. */
const notLoaded = ({ working, look, differences }: RulesFacts): readonly Listed[] =>
  look.loaded !== false ||
  differences.some(({ cause }) => !(AWAITS_DEPLOY.has(cause) || cause === 'not_loaded'))
    ? []
    : working.map(({ domain }) => ({
        list: 'not_loaded',
        domain,
        cause: 'not_loaded',
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
