/**
 * Who may open what, as the operator says it: a read-only file of one entry for each record that is not to have the
 * default policy. Everything that is wrong with it is told at once.
 *
 *   policies:
 *     - domain: admin.example.com        # as the record is named, also *.example.com
 *       policy: two_factor               # everybody who signs in; one_factor, two_factor or deny
 *     - domain: wiki.example.com
 *       access:                          # the first that fits decides; nobody else gets in
 *         - { groups: [admins], policy: two_factor }
 *         - { groups: [staff, friends], users: [ana], policy: one_factor }
 *       bypass: [/healthz, /public/]     # open to everybody: exactly this path, or all below one that ends in a slash
 *                                        # (parts that begin with a dot stay closed)
 */
import { type FieldError, fieldError } from '../../../kernel/failure.ts'
import { didYouMean } from '../../../kernel/text/nearest.ts'
import { isBypassPath } from '../../../model/access/open-paths.ts'
import { textFault } from '../../../model/text/text.ts'
import type { DocumentData } from '../../../ports/documents.ts'

export const SITE_POLICIES = ['one_factor', 'two_factor', 'deny'] as const
export type SitePolicyName = (typeof SITE_POLICIES)[number]

export interface AccessEntry {
  readonly groups: readonly string[]
  readonly users: readonly string[]
  readonly policy: SitePolicyName
}

export interface SitePolicy {
  /** Null: the default one, unless there are entries for some people. */
  readonly policy: SitePolicyName | null
  readonly access: readonly AccessEntry[]
  readonly bypass: readonly string[]
}

/** By the record's name. */
export type SitePolicies = ReadonlyMap<string, SitePolicy>

type Plain = { readonly [key: string]: DocumentData }
type Loc = readonly (string | number)[]

const MAX_NAME = 100
const DOMAIN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/

export function parseSitePolicies(data: DocumentData): {
  readonly policies: SitePolicies
  readonly errors: readonly FieldError[]
} {
  const reader = new Reader()
  return { policies: reader.file(data), errors: reader.errors }
}

class Reader {
  readonly errors: FieldError[] = []

  file(data: DocumentData): SitePolicies {
    const policies = new Map<string, SitePolicy>()
    if (data === null) return policies
    const root = this.#map(data, [], ['policies'])
    for (const [i, entry] of this.#list(root['policies'], ['policies']).entries()) {
      const at: Loc = ['policies', i]
      const map = this.#map(entry, at, ['domain', 'policy', 'access', 'bypass'])
      const domain = typeof map['domain'] === 'string' ? map['domain'].toLowerCase() : ''
      if (!DOMAIN.test(domain)) this.#wrong([...at, 'domain'], 'must be a name as a record has it')
      if (policies.has(domain)) this.#wrong([...at, 'domain'], `names ${domain} a second time`)
      policies.set(domain, this.#entry(map, at))
    }
    return policies
  }

  #entry(map: Plain, at: Loc): SitePolicy {
    const policy = map['policy'] === undefined ? null : this.#policy(map['policy'], [...at, 'policy'])
    const access = this.#list(map['access'], [...at, 'access']).map((one, i) =>
      this.#access(one, [...at, 'access', i]),
    )
    if (policy !== null && access.length > 0)
      this.#wrong([...at, 'access'], 'stands beside a policy; one of them decides, so leave the other out')
    const bypass = this.#words(map['bypass'], [...at, 'bypass'])
    for (const path of bypass)
      if (!isBypassPath(path))
        this.#wrong(
          [...at, 'bypass'],
          `has ${JSON.stringify(path.slice(0, 80))}; a path begins with a slash and is of letters, digits, - . _ ~ and /, no part beginning with a dot; what is spelt otherwise cannot be opened safely, so open what is above it, or set the record's auth_required to false`,
        )
    return { policy, access, bypass: bypass.filter(isBypassPath).toSorted() }
  }

  #access(data: DocumentData, at: Loc): AccessEntry {
    const map = this.#map(data, at, ['groups', 'users', 'policy'])
    const groups = this.#names(map['groups'], [...at, 'groups'])
    const users = this.#names(map['users'], [...at, 'users'])
    if (groups.length + users.length === 0) this.#wrong(at, 'must name groups or users')
    return { groups, users, policy: this.#policy(map['policy'] ?? '', [...at, 'policy']) }
  }

  #policy(data: DocumentData, at: Loc): SitePolicyName {
    if (SITE_POLICIES.includes(data as SitePolicyName)) return data as SitePolicyName
    const hint =
      data === 'bypass'
        ? ' To open a whole record, set its auth_required to false.'
        : didYouMean(typeof data === 'string' ? data : '', SITE_POLICIES)
    this.#wrong(at, `must be one of ${SITE_POLICIES.join(', ')}.${hint}`)
    return 'deny'
  }

  /**
   * The provider splits lists of subjects at commas: `a,b` ends it at its start, and `staff,user:ana` lets in somebody whom
   * nobody named.
   */
  #names(data: DocumentData | undefined, at: Loc): readonly string[] {
    const names = this.#words(data, at)
    for (const [i, name] of names.entries())
      if (name.includes(','))
        this.#wrong(
          [...at, i],
          `has ${JSON.stringify(name)}, a name with a comma, where the SSO provider would read two; write each on its own`,
        )
    return names
  }

  #words(data: DocumentData | undefined, at: Loc): readonly string[] {
    const words = this.#list(data, at)
    return words.flatMap((word, i) => {
      const fault =
        typeof word !== 'string' || word === '' ? 'must be a word in quotes' : textFault(word, MAX_NAME)
      if (fault !== null) this.#wrong([...at, i], fault)
      return fault === null ? [word as string] : []
    })
  }

  #list(data: DocumentData | undefined, at: Loc): readonly DocumentData[] {
    if (data === undefined || data === null) return []
    if (Array.isArray(data)) return data as readonly DocumentData[]
    this.#wrong(at, 'must be a list')
    return []
  }

  #map(data: DocumentData, at: Loc, known: readonly string[]): Plain {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) {
      this.#wrong(at, 'must be a mapping')
      return {}
    }
    for (const key of Object.keys(data))
      if (!known.includes(key)) this.#wrong([...at, key.slice(0, 64)], `is unknown.${didYouMean(key, known)}`)
    return data as Plain
  }

  #wrong(loc: Loc, msg: string): void {
    this.errors.push(fieldError(loc, msg, 'policies'))
  }
}
