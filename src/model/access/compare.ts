/**
 * What somebody else's rules mean for the names that we protect: the same, weaker, or not what is wanted.
 *
 * Weaker is judged carefully: for everybody who is named on either side, alone and in each group, a rule with a condition
 * counts as if it held. So a rule that only may open a door is told as one that does; the other way round never happens.
 */
import { canonicalJson } from '../../kernel/digest.ts'
import { ANYBODY, decide, type Person, rulesFor } from './decide.ts'
import { everything, matchesHost, nameOf, sampleHost } from './hosts.ts'
import { type AccessRule, type AccessRules, isConditional, OPENNESS } from './rule.ts'

/** What one protected name is to have. */
export interface SiteRules {
  readonly domain: string
  readonly domain_id: number
  readonly rules: readonly AccessRule[]
}

export type SiteComparison = 'same' | 'missing' | 'weaker'

/** How a site stands under a set of rules that may be anybody's. */
export function compareSite(site: SiteRules, actual: AccessRules): SiteComparison {
  const host = sampleHost(site.domain)
  const theirs = rulesFor(actual.rules, host)
  if (effectOf(theirs) === effectOf(site.rules)) return 'same'
  const wanted: AccessRules = { default_policy: 'deny', rules: site.rules }
  const people = [...site.rules, ...theirs].flatMap(({ subjects }) => subjects.map(personOf))
  const isWeaker = [ANYBODY, ...people].some(
    (person) => openness(actual, host, person, site.rules) > openness(wanted, host, person, site.rules),
  )
  return isWeaker ? 'weaker' : 'missing'
}

/** What a list of rules does, whatever names it is written for. */
export const effectOf = (rules: readonly AccessRule[]): string => `[${rules.map(effectOfOne).join()}]`

/** Rules are values that are compared with every look, so each is spelt out once. */
const effects = new WeakMap<AccessRule, string>()

function effectOfOne(rule: AccessRule): string {
  const known = effects.get(rule)
  if (known !== undefined) return known
  const effect = canonicalJson({ ...rule, domain: null })
  effects.set(rule, effect)
  return effect
}

/** Rules that grant something and that no site asks for, by what they are written for. */
export function extraRules(sites: readonly SiteRules[], actual: AccessRules): readonly AccessRule[] {
  const names = new Set(sites.map(({ domain }) => domain))
  const extra = actual.rules.filter((rule) => rule.policy !== 'deny' && !names.has(nameOf(rule.domain)))
  const falls_open =
    actual.default_policy !== 'deny' &&
    !actual.rules.some(
      (rule) => rule.policy === 'deny' && matchesHost(rule.domain, UNKNOWN_HOST) === 'yes' && isPlain(rule),
    )
  if (!falls_open) return extra
  const open: AccessRule = { ...EVERYBODY, policy: actual.default_policy }
  return [...extra, open]
}

const UNKNOWN_HOST = 'plumbline-any-host.invalid'
const EVERYBODY: AccessRule = {
  domain: everything,
  policy: 'deny',
  subjects: [],
  networks: [],
  resources: [],
  methods: [],
  query: [],
}

const isPlain = (rule: AccessRule): boolean => rule.subjects.length === 0 && !isConditional(rule)

/** The most that somebody may get. Exceptions that are wanted word for word open nothing new. */
function openness(rules: AccessRules, host: string, person: Person, wanted: readonly AccessRule[]): number {
  const known = new Set(wanted.map((rule) => effectOf([rule])))
  const { policy, exceptions } = decide(rules, host, person)
  const others = exceptions.filter((rule) => !known.has(effectOf([rule])))
  return Math.max(OPENNESS[policy], ...others.map((rule) => OPENNESS[rule.policy]))
}

/** Somebody of whom exactly this holds. */
function personOf(all: readonly string[]): Person {
  const of = (kind: string) =>
    all.filter((subject) => subject.startsWith(kind)).map((subject) => subject.slice(kind.length))
  return { username: of('user:')[0] ?? '', groups: of('group:') }
}
