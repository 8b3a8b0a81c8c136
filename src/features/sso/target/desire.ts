/** From records to access rules: one block for each name that is to be protected, an explicit refusal of the rest at the end. Pure. */
import { Failure } from '../../../kernel/failure.ts'
import { compareSite, type SiteRules } from '../../../model/access/compare.ts'
import { canBeProtected, hasRule } from '../../../model/access/applies.ts'
import { criterionFor, everything, nameOf } from '../../../model/access/hosts.ts'
import { earlierResource } from '../../../model/access/open-paths.ts'
import { type AccessRule, type AccessRules, plainRule } from '../../../model/access/rule.ts'
import type { Intent, IntentRow } from '../../../model/intent.ts'
import type { AccessEntry, SitePolicies, SitePolicy, SitePolicyName } from './policies.ts'
import { renderRules } from './render.ts'

export interface SsoSettings {
  readonly default_policy: SitePolicyName
  readonly policies: SitePolicies
}

export interface SsoDesired {
  /** In the order of the file: exact names before those with a star, which they are exceptions from. */
  readonly sites: readonly SiteRules[]
  readonly text: string
}

export function ssoDesired(intent: Intent, settings: SsoSettings): SsoDesired {
  const sites = intent.rows
    .filter(({ live, fields }) => live && hasRule(fields))
    .map(({ domain_id, fields: { domain } }) => ({ domain, domain_id, rules: rulesOf(domain, settings) }))
    .toSorted(bySite)
  const twin = sites.find(({ domain }, i) => domain === sites[i - 1]?.domain)
  if (twin !== undefined) throw new Failure('internal', `sso: two records are named ${twin.domain}`)
  return { sites, text: renderRules(sites) }
}

/**
 * What there is for names whose own HTTPS route needs it no more, each with its rules: they are served no more, or otherwise.
 * Until that route is gone it is judged by what is left. The refusal of all the rest is for no host.
 * @param sets the first that has a name counts for it
 */
export function leftoversIn(sets: readonly AccessRules[], { rows }: Intent): readonly SiteRules[] {
  const served = new Set(rows.filter(keepsItsRoute).map(({ fields }) => fields.domain))
  const left = new Map<string, readonly AccessRule[]>()
  for (const { rules } of sets.toReversed()) {
    const own = rules.filter(({ domain }) => domain.text !== everything.text && !served.has(nameOf(domain)))
    for (const [domain, of_name] of Map.groupBy(own, ({ domain: one }) => nameOf(one)))
      left.set(domain, of_name)
  }
  return [...left].map(([domain, rules]) => ({ domain, domain_id: NO_RECORD, rules }))
}

const NO_RECORD = 0

/** One that asks nobody to sign in loses its rule first, and its check then. */
const keepsItsRoute = ({ live, fields }: IntentRow): boolean =>
  live && canBeProtected(fields) && (!fields.auth_required || hasRule(fields))

/**
 * Those of them that more people would get into by the rules of a name with a star, were their own gone. None where a hand
 * lets more people into a name of ours than it may: that is not to wait.
 */
export function fallingOpen(
  { sites }: SsoDesired,
  rules: AccessRules,
  { leftovers, by_hand }: { readonly leftovers: readonly SiteRules[]; readonly by_hand: boolean },
): readonly string[] {
  if (leftovers.length === 0) return []
  if (by_hand && sites.some((site) => compareSite(site, rules) === 'weaker')) return []
  const then: AccessRules = { default_policy: 'deny', rules: sites.flatMap((site) => site.rules) }
  return leftovers.filter((own) => compareSite(own, then) === 'weaker').map(({ domain }) => domain)
}

/**
 * The people who are named, then the rest. Where people are named, an explicit refusal ends the block: without it everybody
 * else would fall through to the rule of a name with a star. Open paths are the routes' business (`open-paths.ts`): the
 * provider decides on the decoded and cleaned path, which is not what the backend gets.
 */
function rulesOf(domain: string, { default_policy, policies }: SsoSettings): readonly AccessRule[] {
  const { policy, access }: SitePolicy = policies.get(domain) ?? NOTHING_SAID
  const criterion = criterionFor(domain)
  const plain = (rest: AccessRule['policy']) => plainRule(criterion, rest)
  const last = access.length > 0 ? 'deny' : (policy ?? default_policy)
  return [...access.map((entry) => ({ ...plain(entry.policy), subjects: subjectsOf(entry) })), plain(last)]
}

/**
 * The same sites with the open paths that earlier versions wrote into the rules. They opened what the policies still open, so
 * a provider that runs with them is not taken for one that lets in more than is allowed.
 */
export const withEarlierBypass = (
  sites: readonly SiteRules[],
  { policies }: SsoSettings,
): readonly SiteRules[] =>
  sites.map((site) => {
    const bypass = policies.get(site.domain)?.bypass ?? []
    if (bypass.length === 0) return site
    const rule = { ...plainRule(criterionFor(site.domain), 'bypass'), resources: bypass.map(earlierResource) }
    return { ...site, rules: [rule, ...site.rules] }
  })

const NOTHING_SAID: SitePolicy = { policy: null, access: [], bypass: [] }

const subjectsOf = ({ groups, users }: AccessEntry): readonly (readonly string[])[] => [
  ...groups.map((group) => [`group:${group}`]),
  ...users.map((user) => [`user:${user}`]),
]

function bySite(a: SiteRules, b: SiteRules): number {
  const stars = Number(a.domain.startsWith('*.')) - Number(b.domain.startsWith('*.'))
  return stars !== 0 ? stars : a.domain < b.domain ? -1 : 1
}
