/** What a set of rules says to one person at one host. Pure; a criterion that cannot be judged counts both ways. */
import { matchesHost } from './hosts.ts'
import { type AccessRule, type AccessRules, isConditional, OPENNESS, type Policy } from './rule.ts'

export interface Person {
  readonly username: string
  readonly groups: readonly string[]
}

/** Everybody and nobody: whoever has signed in and is in no group. */
export const ANYBODY: Person = { username: '', groups: [] }

export interface Decision {
  /** What holds where no exception does. */
  readonly policy: Policy
  /** Rules that stand before it and ask for a path, a method, a network; first match wins. */
  readonly exceptions: readonly AccessRule[]
  /** False where a rule may or may not be for this host: then `policy` is the most open one that is possible. */
  readonly certain: boolean
}

/** @param host in lower case */
export function decide({ rules, default_policy }: AccessRules, host: string, person: Person): Decision {
  const exceptions: AccessRule[] = []
  let possible: Policy | null = null
  for (const rule of rulesFor(rules, host)) {
    if (!isSubject(rule, person)) continue
    if (isConditional(rule)) {
      exceptions.push(rule)
      continue
    }
    const opener = moreOpen(possible, rule.policy)
    if (matchesHost(rule.domain, host) === 'yes')
      return { policy: opener, exceptions, certain: possible === null }
    possible = opener
  }
  return { policy: moreOpen(possible, default_policy), exceptions, certain: possible === null }
}

/** The rules that are or may be for a host, in order, up to the one that nothing gets past. */
export function rulesFor(rules: readonly AccessRule[], host: string): readonly AccessRule[] {
  const found: AccessRule[] = []
  for (const rule of candidates(rules, host)) {
    const match = matchesHost(rule.domain, host)
    if (match === 'no') continue
    found.push(rule)
    if (match === 'yes' && rule.subjects.length === 0 && !isConditional(rule)) break
  }
  return found
}

/** Thousands of names are compared with thousands of rules, so exact names are looked up. */
const indexes = new WeakMap<readonly AccessRule[], Index>()

interface Index {
  /** Positions of rules for an exact name, by that name in lower case. */
  readonly exact: ReadonlyMap<string, readonly number[]>
  /** Positions of the others. */
  readonly broad: readonly number[]
}

function candidates(rules: readonly AccessRule[], host: string): readonly AccessRule[] {
  const index = indexes.get(rules) ?? indexed(rules)
  const positions = [...(index.exact.get(host) ?? []), ...index.broad].sort((a, b) => a - b)
  return positions.map((position) => rules[position]!)
}

function indexed(rules: readonly AccessRule[]): Index {
  const exact = new Map<string, number[]>()
  const broad: number[] = []
  for (const [i, { domain }] of rules.entries()) {
    const name = domain.text.toLowerCase()
    if (domain.kind === 'pattern' || /^[*{]/.test(name)) broad.push(i)
    else exact.set(name, [...(exact.get(name) ?? []), i])
  }
  const index = { exact, broad }
  indexes.set(rules, index)
  return index
}

/** True when some alternative of the rule's subjects holds altogether. */
const isSubject = ({ subjects }: AccessRule, { username, groups }: Person): boolean =>
  subjects.length === 0 ||
  subjects.some((all) =>
    all.every((subject) => {
      const [kind, name] = [subject.slice(0, subject.indexOf(':')), subject.slice(subject.indexOf(':') + 1)]
      return kind === 'user' ? name === username : kind === 'group' && groups.includes(name)
    }),
  )

const moreOpen = (a: Policy | null, b: Policy): Policy => (a !== null && OPENNESS[a] > OPENNESS[b] ? a : b)
