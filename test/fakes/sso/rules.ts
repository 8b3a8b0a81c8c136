/** Authelia's rules read and evaluated independently of the code under test, after its documentation and source (4.39). */
import { parse } from 'yaml'

export interface RuleDocument {
  readonly default_policy: string
  readonly rules: readonly Rule[]
}

interface Rule {
  readonly domain: readonly string[]
  readonly domain_regex: readonly RegExp[]
  readonly policy: string
  readonly subject: readonly (readonly string[])[]
  readonly resources: readonly RegExp[]
  readonly methods: readonly string[]
}

export interface Question {
  readonly host: string
  readonly uri: string
  readonly method: string
  /** Null: nobody has signed in. */
  readonly user: string | null
  readonly groups: readonly string[]
}

const KEYS = ['domain', 'domain_regex', 'policy', 'subject', 'resources', 'methods']
const list = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly unknown[]) : [value]
const texts = (value: unknown): readonly string[] => list(value).map(String)

/** Throws for whatever would keep it from starting. */
export function strictly(text: string): RuleDocument {
  const section = (parse(text) as { access_control?: Record<string, unknown> } | null)?.access_control
  if (section === undefined) throw new Error('no access_control')
  const { default_policy = 'deny', rules = [] } = section
  const read = (list(rules) as Record<string, unknown>[]).map(ruleOf)
  if (default_policy === 'deny' && read.length === 0) throw new Error('no rules beside a default of deny')
  return { default_policy: String(default_policy), rules: read }
}

function ruleOf(rule: Record<string, unknown>): Rule {
  for (const key of Object.keys(rule)) if (!KEYS.includes(key)) throw new Error(`unknown key ${key}`)
  if (!['bypass', 'one_factor', 'two_factor', 'deny'].includes(String(rule['policy'])))
    throw new Error('policy')
  if (rule['policy'] === 'bypass' && rule['subject'] !== undefined) throw new Error('bypass with a subject')
  if (rule['domain'] === undefined && rule['domain_regex'] === undefined) throw new Error('no domain')
  return {
    domain: texts(rule['domain']),
    domain_regex: texts(rule['domain_regex']).map((source) => new RegExp(source)),
    policy: String(rule['policy']),
    subject: list(rule['subject']).map((entry) => texts(entry)),
    resources: texts(rule['resources']).map((source) => new RegExp(source)),
    methods: texts(rule['methods']),
  }
}

export function decideBy({ rules, default_policy }: RuleDocument, question: Question): string {
  return rules.find((rule) => isMatch(rule, question))?.policy ?? default_policy
}

const isMatch = (rule: Rule, { host, uri, method, user, groups }: Question): boolean =>
  (rule.domain.some((domain) => isDomain(domain, host)) ||
    rule.domain_regex.some((regex) => regex.test(host))) &&
  (rule.resources.length === 0 || rule.resources.some((regex) => regex.test(uri))) &&
  (rule.methods.length === 0 || rule.methods.includes(method)) &&
  // Nobody who has not signed in yet is turned away for who they are: they are sent to sign in.
  (rule.subject.length === 0 ||
    user === null ||
    rule.subject.some((all) => all.every((one) => isOf(one, user, groups))))

/** A star is compared case by case, a name is not (up to 4.39.19). */
const isDomain = (domain: string, host: string): boolean =>
  domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : domain.toLowerCase() === host.toLowerCase()

const isOf = (subject: string, user: string, groups: readonly string[]): boolean =>
  subject.startsWith('user:') ? subject.slice(5) === user : groups.includes(subject.slice('group:'.length))
