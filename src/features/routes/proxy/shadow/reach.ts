/**
 * How much of a host's traffic a rule of the proxy's takes. Pure.
 *
 *   all       every request of the host, or of every name that a star stands for
 *   some      requests of the host that something else decides (a path, a header, one name below a star)
 *   none      no request of the host
 *   unjudged  what cannot be told here: a pattern in a grammar of its own, a rule that does not parse
 *
 * `all` and `none` are certain. `some` may be all after all where conditions add up to everything; of those only the plain
 * ones are seen: a condition beside its opposite, and the addresses of both families.
 */
import { HTTP_MATCHERS, parseRule, type Rule, TCP_MATCHERS } from '../../grammar/rule.ts'
import { hostPattern, type Reach } from './host-pattern.ts'
import { type Work, workAtOnce } from './work.ts'

/** What `*.example.com` and `*` mean in `Host()`, which depends on the proxy's version; null where that is not known. */
export interface Stars {
  /** One label, since 3.7.0; before, it matches nothing. */
  readonly one_label: boolean | null
  /** Any host, since 3.7.7; before, none that has a dot. */
  readonly any_host: boolean | null
}

export interface EvaluatedRule {
  /**
   * @param host as records name it: `app.example.com`, `*.example.com`
   * @param work what all its patterns together may take; what goes beyond that is not judged
   */
  reachOver(host: string, work?: Work): Reach
  /**
   * How much of the host `Host()` names, whatever else a request must be: of an HTTP router with TLS, these connections are
   * taken for HTTP before any TCP router is asked. A bare `*` and patterns name nobody.
   */
  namedOver(host: string): Reach
  /** Names beside which it has no request; null where that cannot be told. */
  readonly names: readonly string[] | null
  /** What its host matchers ask for, but those that it excludes; empty for a rule that says no host, or does not parse. */
  readonly hosts: readonly HostAsked[]
}

export interface HostAsked {
  readonly kind: 'literal' | 'pattern'
  /** A literal in lower case, without a final dot. */
  readonly text: string
}

export function evaluateRule(kind: 'http' | 'tcp', text: string, stars: Stars): EvaluatedRule {
  const parsed = parseRule(text, kind === 'http' ? HTTP_MATCHERS : TCP_MATCHERS)
  if (!parsed.ok) return { reachOver: unjudged, namedOver: unjudged, names: null, hosts: [] }
  const { rule } = parsed
  const [reach, naming] = [reachOf(rule, stars), over(namingOf(rule, stars), ANY_OF)]
  return {
    reachOver: (host, work = workAtOnce()) => reach(host, work),
    namedOver: (host) => naming(host, workAtOnce()),
    names: namesOf(rule),
    hosts: hostsOf(rule),
  }
}

const unjudged = (): Reach => 'unjudged'

type ReachOver = (host: string, work: Work) => Reach

/** Everything about the rule is found out once, and only what the host decides again for each. */
function reachOf(rule: Rule, stars: Stars): ReachOver {
  switch (rule.kind) {
    case 'not': {
      const inside = reachOf(rule.of, stars)
      return (host, work) => OPPOSITE[inside(host, work)]
    }
    case 'all':
      if (addsUp(rule.of.map(opposite))) return () => 'none'
      return over(
        rule.of.map((part) => reachOf(part, stars)),
        ALL_OF,
      )
    case 'any':
      if (addsUp(rule.of)) return () => 'all'
      return over(
        rule.of.map((part) => reachOf(part, stars)),
        ANY_OF,
      )
    case 'match':
      if (addsUp([rule])) return () => 'all'
      return over(
        rule.values.map((value) => matcher(rule.name, value, stars)),
        ANY_OF,
      )
  }
}

const OPPOSITE: Readonly<Record<Reach, Reach>> = {
  all: 'none',
  none: 'all',
  some: 'some',
  unjudged: 'unjudged',
}

/** The first of these that a part says decides. */
const ALL_OF: readonly Reach[] = ['none', 'some', 'unjudged', 'all']
const ANY_OF: readonly Reach[] = ['all', 'unjudged', 'some', 'none']

function over(parts: readonly ReachOver[], order: readonly Reach[]): ReachOver {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  return (host, work) => {
    const said = new Set<Reach>()
    for (const reachOver of parts) {
      said.add(reachOver(host, work))
      if (said.has(order[0]!)) break
    }
    return order.find((reach) => said.has(reach)) ?? 'none'
  }
}

function matcher(name: string, value: string, stars: Stars): ReachOver {
  const literal = canonical(value)
  switch (name) {
    case 'Host':
    case 'HostHeader':
      return (host) => literalReach(literal, host, stars)
    case 'HostSNI':
      return value === '*' ? () => 'all' : (host) => literalReach(literal, host, stars)
    case 'HostRegexp':
    case 'HostSNIRegexp':
      return hostPattern(value)
    case 'PathPrefix':
      return () => (value === '/' ? 'all' : 'some')
    case 'PathRegexp':
      return () => (EVERY_PATH.test(value.replace(GROUP, '$1')) ? 'all' : 'some')
    default:
      return () => 'some'
  }
}

/** As hands write it: `.*`, `.+`, `^/`, `^/.*$`. Paths with a line end, which the last one lacks, are nobody's. */
const EVERY_PATH = /^\^?(?:\/?(?:\.[*]\??\$?)?|\.\+\$?)$/
/** Around that, as `^/(.*)$`. */
const GROUP = /\((?:\?:)?(\/?\.[*+])\)/

const canonical = (name: string): string => name.toLowerCase().replace(/\.$/, '')

function literalReach(name: string, host: string, { one_label, any_host }: Stars): Reach {
  if (name === '*') return believed(any_host, 'all')
  if (name === host) return name.startsWith('*.') ? believed(one_label, 'all') : 'all'
  if (name.startsWith('*.')) return isOneLabelBelow(host, name) ? believed(one_label, 'all') : 'none'
  return host.startsWith('*.') && isOneLabelBelow(name, host) ? 'some' : 'none'
}

const believed = (known: boolean | null, reach: Reach): Reach =>
  known === null ? 'unjudged' : known ? reach : 'none'

function isOneLabelBelow(name: string, star: string): boolean {
  const label = name.endsWith(star.slice(1)) ? name.slice(0, 1 - star.length) : ''
  return label !== '' && label !== '*' && !label.includes('.')
}

function namesOf(rule: Rule): readonly string[] | null {
  switch (rule.kind) {
    case 'not':
      return null
    case 'any': {
      const names = rule.of.map(namesOf)
      return names.every((some) => some !== null) ? names.flat() : null
    }
    case 'all':
      return rule.of.map(namesOf).find((names) => names !== null) ?? null
    case 'match':
      return ['Host', 'HostHeader', 'HostSNI'].includes(rule.name) && !rule.values.includes('*')
        ? rule.values.map(canonical)
        : null
  }
}

/** Traefik's `ParseDomains`. Before its #13725 it took what a rule excludes for named, too. */
function namingOf(rule: Rule, stars: Stars, is_excluded = false): readonly ReachOver[] {
  switch (rule.kind) {
    case 'not':
      return namingOf(rule.of, stars, !is_excluded)
    case 'any':
    case 'all':
      return rule.of.flatMap((part) => namingOf(part, stars, is_excluded))
    case 'match':
      if (rule.name !== 'Host') return []
      return rule.values
        .filter((value) => value !== '*')
        .map((value) => (host) => {
          const reach = literalReach(canonical(value), host, stars)
          return is_excluded && reach !== 'none' ? 'unjudged' : reach
        })
  }
}

function hostsOf(rule: Rule): readonly HostAsked[] {
  switch (rule.kind) {
    case 'not':
      return []
    case 'any':
    case 'all':
      return rule.of.flatMap(hostsOf)
    case 'match':
      if (rule.name === 'HostRegexp') return rule.values.map((text) => ({ kind: 'pattern', text }))
      return rule.name === 'Host' || rule.name === 'HostHeader'
        ? rule.values.map((text) => ({ kind: 'literal', text: canonical(text) }))
        : []
  }
}

// Conditions of which one holds for every request, whatever it is, as far as that is plain to see. Pure.

/**
 *   A || !A                                            a condition beside its opposite
 *   ClientIP(`0.0.0.0/0`) || ClientIP(`::/0`)          the addresses of both families
 *
 * @param parts any of which is enough
 */
function addsUp(parts: readonly Rule[]): boolean {
  const all = alternatives(parts)
  const held = new Set(all.map(textOf))
  return (
    all.some((part) => held.has(textOf(opposite(part)))) ||
    (all.some((part) => isAnyAddress(part, IPV4)) && all.some((part) => isAnyAddress(part, IPV6)))
  )
}

const opposite = (rule: Rule): Rule => (rule.kind === 'not' ? rule.of : { kind: 'not', of: rule })

/** Without brackets and lists: each is enough alone. `!(A && B)` is `!A || !B`. */
function alternatives(parts: readonly Rule[]): readonly Rule[] {
  return parts.flatMap((part) => {
    if (part.kind === 'any') return alternatives(part.of)
    if (part.kind === 'match' && part.values.length > 1)
      return part.values.map((value): Rule => ({ ...part, values: [value] }))
    if (part.kind === 'not' && part.of.kind === 'all') return alternatives(part.of.of.map(opposite))
    return part.kind === 'not' && part.of.kind === 'not' ? alternatives([part.of.of]) : [part]
  })
}

const textOf = (rule: Rule): string => JSON.stringify(rule)

const IPV4 = /^[0-9.]+\/0$/
const IPV6 = /^[0-9a-f.]*:[0-9a-f:.]*\/0$/i

const isAnyAddress = (rule: Rule, family: RegExp): boolean =>
  rule.kind === 'match' && rule.name === 'ClientIP' && family.test(rule.values[0] ?? '')
