/**
 * Reads an `access_control` section in any form that Authelia 4.39 takes: words or lists, named networks, subjects nested
 * or not. What Authelia would refuse at start is refused here, with every fault at once.
 */
import { canonicalJson } from '../../../kernel/digest.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import type { AccessRule, AccessRules, DomainCriterion, Policy } from '../../../model/access/rule.ts'
import { POLICIES } from '../../../model/access/rule.ts'
import { isRecord } from '../../../kernel/text/lenient.ts'

/** A fault: where it is, as `access_control.rules.3.policy`, and the end of a sentence. */
export type ReadRules =
  | { readonly ok: true; readonly rules: AccessRules }
  | { readonly ok: false; readonly faults: readonly string[] }

const MAX_FAULTS = 20

const RULE_KEYS = [
  'domain',
  'domain_regex',
  'policy',
  'subject',
  'networks',
  'resources',
  'methods',
  'query',
] as const
const SECTION_KEYS = ['default_policy', 'networks', 'rules']
const METHODS =
  'GET HEAD POST PUT PATCH DELETE TRACE CONNECT OPTIONS COPY LOCK MKCOL MOVE PROPFIND PROPPATCH UNLOCK'.split(
    ' ',
  )
const OPERATORS = ['equal', 'not equal', 'present', 'absent', 'pattern', 'not pattern']
const SUBJECT = /^(?:user|group|oauth2:client):.+$/s
const NETWORK = /^[0-9a-fA-F:.]+(?:\/\d{1,3})?$/

type Plain = Readonly<Record<string, unknown>>

/** @param document the whole file, parsed; other sections than `access_control` are none of its business. */
export function readRules(document: unknown): ReadRules {
  const faults: string[] = []
  const say = (at: string, msg: string): void => void faults.push(`${at} ${msg}`)
  const section = isRecord(document) ? document['access_control'] : undefined
  if (!isRecord(section)) return { ok: false, faults: ['access_control is missing'] }
  unknownKeys(section, SECTION_KEYS, 'access_control', say)
  const named = namedNetworks(section['networks'], say)
  const default_policy = policyOf(section['default_policy'] ?? 'deny', 'access_control.default_policy', say)
  const rules = entriesOf(section['rules'], 'access_control.rules', say).flatMap((entry, i) =>
    readRule(entry, `access_control.rules.${i}`, { say, named }),
  )
  if (default_policy === 'bypass') say('access_control.default_policy', 'must not be bypass')
  if (default_policy === 'deny' && rules.length === 0)
    say('access_control.rules', 'must not be empty while the default policy is deny')
  if (faults.length > 0) return { ok: false, faults: faults.slice(0, MAX_FAULTS) }
  return { ok: true, rules: { default_policy: default_policy as AccessRules['default_policy'], rules } }
}

type Say = (at: string, msg: string) => void

interface Reading {
  readonly say: Say
  readonly named: ReadonlySet<string>
}

/** One rule for each of its names: alternatives of one rule decide as rules one after another would. */
function readRule(entry: unknown, at: string, { say, named }: Reading): AccessRule[] {
  if (!isRecord(entry)) return (say(at, 'must be a mapping'), [])
  unknownKeys(entry, RULE_KEYS, at, say)
  const words = (key: (typeof RULE_KEYS)[number], fault?: (word: string) => string | null) =>
    wordsOf(entry[key], `${at}.${key}`, say, fault)
  const policy = policyOf(entry['policy'], `${at}.policy`, say)
  const subjects = subjectsOf(entry['subject'], `${at}.subject`, say)
  if (policy === 'bypass' && subjects.length > 0)
    say(at, 'must not name a subject: nobody signs in for bypass')
  const common = {
    policy,
    subjects,
    networks: words('networks', (word) =>
      named.has(word) || NETWORK.test(word) ? null : `names the network "${word}", which is not defined here`,
    ),
    resources: words('resources'),
    methods: words('methods', (word) =>
      METHODS.includes(word) ? null : `has "${word}", which is no method that Authelia knows`,
    ),
    query: queryOf(entry['query'], `${at}.query`, say),
  }
  const domains: DomainCriterion[] = [
    ...words('domain').map((text) => ({ kind: 'literal', text }) as const),
    ...words('domain_regex').map((text) => ({ kind: 'pattern', text }) as const),
  ]
  if (domains.length === 0) say(at, 'needs a domain or a domain_regex')
  return domains.map((domain) => ({ domain, ...common }))
}

function policyOf(value: unknown, at: string, say: Say): Policy {
  if (POLICIES.includes(value as Policy)) return value as Policy
  const hint = typeof value === 'string' ? didYouMean(value, POLICIES) : ''
  say(at, `must be one of ${POLICIES.join(', ')}.${hint}`)
  return 'deny'
}

/** A word is one subject; a list is alternatives; a list within it must hold as a whole. */
function subjectsOf(value: unknown, at: string, say: Say): readonly (readonly string[])[] {
  const fault = (word: string) =>
    SUBJECT.test(word) ? null : `has "${word}", which does not begin with user:, group: or oauth2:client:`
  if (!Array.isArray(value)) return wordsOf(value, at, say, fault).map((word) => [word])
  return (value as readonly unknown[])
    .map((entry, i) => wordsOf(entry, `${at}.${i}`, say, fault))
    .filter((words) => words.length > 0)
}

function queryOf(value: unknown, at: string, say: Say): readonly string[] {
  return entriesOf(value, at, say).map((alternative, i) => {
    const conditions = Array.isArray(alternative) ? (alternative as readonly unknown[]) : [alternative]
    for (const condition of conditions) {
      if (!isRecord(condition) || typeof condition['key'] !== 'string') say(`${at}.${i}`, 'needs a key')
      else if (!OPERATORS.includes((condition['operator'] ?? 'equal') as string))
        say(`${at}.${i}.operator`, `must be one of ${OPERATORS.join(', ')}`)
    }
    return canonicalJson(conditions)
  })
}

function namedNetworks(value: unknown, say: Say): ReadonlySet<string> {
  const names = entriesOf(value, 'access_control.networks', say).map((entry, i) => {
    const name = isRecord(entry) ? entry['name'] : undefined
    if (typeof name !== 'string') say(`access_control.networks.${i}`, 'needs a name')
    return String(name)
  })
  return new Set(names)
}

/** Nothing, a word or a list of words. A number or a truth value is the word that it is written as. */
function wordsOf(
  value: unknown,
  at: string,
  say: Say,
  fault: (word: string) => string | null = () => null,
): readonly string[] {
  if (value === undefined || value === null) return []
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  return list.flatMap((entry) => {
    const word = typeof entry === 'number' || typeof entry === 'boolean' ? String(entry) : entry
    const wrong = typeof word !== 'string' || word === '' ? 'must be a word or a list of words' : fault(word)
    if (wrong !== null) say(at, wrong)
    return wrong === null ? [word as string] : []
  })
}

function entriesOf(value: unknown, at: string, say: Say): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value as readonly unknown[]
  say(at, 'must be a list')
  return []
}

function unknownKeys(map: Plain, known: readonly string[], at: string, say: Say): void {
  for (const key of Object.keys(map))
    if (!known.includes(key)) say(`${at}.${key.slice(0, 64)}`, `is unknown.${didYouMean(key, known)}`)
}
