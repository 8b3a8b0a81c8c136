/** Access rules as Authelia knows them (4.39, `access_control`), in one normal form: lists where it takes a word or a list. */

export const POLICIES = ['bypass', 'one_factor', 'two_factor', 'deny'] as const
export type Policy = (typeof POLICIES)[number]

/** How far a policy opens the door. A rule is weaker than another when this figure is greater. */
export const OPENNESS: Readonly<Record<Policy, number>> = { deny: 0, two_factor: 1, one_factor: 2, bypass: 3 }

/**
 * One rule for one name. Every criterion that is not empty must hold; the entries of a list are alternatives. Of the rules
 * of a set the first that matches decides, and nothing else is asked.
 */
export interface AccessRule {
  readonly domain: DomainCriterion
  readonly policy: Policy
  /** Alternatives, each a list of `user:…`, `group:…` that must all hold. Empty: everybody. */
  readonly subjects: readonly (readonly string[])[]
  readonly networks: readonly string[]
  /** Regular expressions (RE2) over path and query. */
  readonly resources: readonly string[]
  readonly methods: readonly string[]
  /** Each alternative as canonical JSON: nothing here looks into it. */
  readonly query: readonly string[]
}

/** `literal`: a name, or `*.` and a name, which stands for every depth below. `pattern`: a regular expression (RE2). */
export interface DomainCriterion {
  readonly kind: 'literal' | 'pattern'
  readonly text: string
}

export interface AccessRules {
  readonly default_policy: Exclude<Policy, 'bypass'>
  readonly rules: readonly AccessRule[]
}

/** A rule without conditions for this name. */
export const plainRule = (domain: DomainCriterion, policy: Policy): AccessRule => ({
  domain,
  policy,
  subjects: [],
  networks: [],
  resources: [],
  methods: [],
  query: [],
})

/** True for a rule that asks for more than the name and who it is. */
export const isConditional = ({ networks, resources, methods, query }: AccessRule): boolean =>
  networks.length + resources.length + methods.length + query.length > 0
