/**
 * Which hosts a rule names. A record takes all traffic of one host, or of one wildcard, and nothing else, so two answers
 * are needed: the hosts a rule stands for *exactly*, if it does, and the hosts that it may touch *at most*.
 */
import { parseDomainName } from '../../../../model/domain/hostname.ts'
import { accept, type Parsed, refuse } from '../../../../model/text/result.ts'
import { named } from '../../../routes/grammar/named.ts'
import type { Rule } from '../../../routes/grammar/rule.ts'

export interface HostSet {
  /** Names as records have them: `app.example.com`, `*.example.com`. No name stands twice. */
  readonly names: readonly string[]
  /** Names that Traefik refuses as written, for not being in A-label form. */
  readonly unicode: readonly string[]
}

/** Matches every request, as `PathPrefix("/")` does: no limit beside a host, and no host of its own. */
const EVERYTHING = 'everything'

/** The hosts that the rule stands for exactly, or why it does not. */
export function hostsOf(rule: Rule): Parsed<HostSet> {
  const found = exactly(rule)
  if (!found.ok) return found
  if (found.value === EVERYTHING) return refuse('rule', 'matches every host')
  return accept({ names: [...new Set(found.value.names)], unicode: [...new Set(found.value.unicode)] })
}

function exactly(rule: Rule): Parsed<HostSet | typeof EVERYTHING> {
  switch (rule.kind) {
    case 'not':
      return refuse('rule', 'has a rule with "!", which a record cannot say')
    case 'match':
      return matched(rule.name, rule.values)
    case 'any':
    case 'all':
      return joined(rule)
  }
}

function joined(rule: Extract<Rule, { kind: 'any' | 'all' }>): Parsed<HostSet | typeof EVERYTHING> {
  const sets: HostSet[] = []
  let everything = false
  for (const part of rule.of) {
    const found = exactly(part)
    if (!found.ok) return found
    if (found.value === EVERYTHING) everything = true
    else sets.push(found.value)
  }
  if (sets.length === 0 || (everything && rule.kind === 'any')) return accept(EVERYTHING)
  if (rule.kind === 'all' && sets.length > 1) return refuse('rule', 'has a rule that wants two hosts at once')
  return accept({
    names: sets.flatMap(({ names }) => names),
    unicode: sets.flatMap(({ unicode }) => unicode),
  })
}

function matched(name: string, values: readonly string[]): Parsed<HostSet | typeof EVERYTHING> {
  if (name === 'Host' || name === 'HostHeader' || name === 'HostSNI') return literal(name, values)
  if (name === 'HostRegexp' || name === 'HostSNIRegexp') return patterns(values)
  if (name === 'PathPrefix' && values.every((value) => value === '/')) return accept(EVERYTHING)
  return refuse('rule', `also matches on ${named(matcherText(name, values))}; a record takes its whole host`)
}

function literal(name: string, values: readonly string[]): Parsed<HostSet | typeof EVERYTHING> {
  if (values.length === 1 && values[0] === '*') return accept(EVERYTHING)
  const names: string[] = []
  for (const value of values) {
    const parsed = parseDomainName(value)
    if (!parsed.ok)
      return refuse('rule', `has ${named(matcherText(name, [value]))}, and a domain ${parsed.msg}`)
    names.push(parsed.value)
  }
  // eslint-disable-next-line no-control-regex
  return accept({ names, unicode: values.filter((value) => /[^\u0000-\u007f]/.test(value)) })
}

function patterns(values: readonly string[]): Parsed<HostSet> {
  const names: string[] = []
  for (const value of values) {
    const name = wildcardOf(value)
    if (name === null)
      return refuse(
        'rule',
        `has the host pattern ${named(value)}, which is not "one label of any kind" before a fixed name`,
      )
    names.push(name)
  }
  return accept({ names, unicode: [] })
}

/** One label of any kind, in version 3 (`^[a-z0-9-]+\.`) and in version 2 (`{name:[a-z0-9-]+}.`). */
const ONE_LABEL = String.raw`\[(?:\^\\?\.|(?:a-z|A-Z|0-9|_|\\?-)+)\]\+`
const PATTERN_V3 = new RegExp(String.raw`^\^(${ONE_LABEL})((?:\\\.[A-Za-z0-9_-]+)+)\$$`)
const PATTERN_V2 = new RegExp(String.raw`^\{[A-Za-z0-9_-]+:\^?(${ONE_LABEL})\$?\}((?:\.[A-Za-z0-9_-]+)+)$`)

/**
 * `*.example.com` for a pattern that says the same: anchored, one label that takes letters, digits and hyphens, and a
 * fixed rest. `.+` also takes several labels and `[a-z]+` not all of one, so both are something else.
 */
export function wildcardOf(pattern: string): string | null {
  const match = PATTERN_V3.exec(pattern) ?? PATTERN_V2.exec(pattern)
  if (match === null) return null
  if (!takesAnyLabel(match[1]!)) return null
  const parsed = parseDomainName(`*${match[2]!.replaceAll('\\', '')}`)
  return parsed.ok ? parsed.value : null
}

/** `[^.]+`, or a class with lower case, digits and the hyphen: hosts are lower-cased before they are matched. */
function takesAnyLabel(label: string): boolean {
  if (label.startsWith('[^')) return true
  const members = label.slice(1, -2).replaceAll('\\', '')
  const single = members.replaceAll(/a-z|A-Z|0-9|_/g, '')
  return members.includes('a-z') && members.includes('0-9') && single.includes('-')
}

/** Names that the rule can touch at most, or null where it can touch any host. Never too few. */
export function reachOf(rule: Rule): readonly string[] | null {
  switch (rule.kind) {
    case 'not':
      return null
    case 'match': {
      const found = matched(rule.name, rule.values)
      return found.ok && found.value !== EVERYTHING ? found.value.names : literalReach(rule.name, rule.values)
    }
    case 'any': {
      const reaches = rule.of.map(reachOf)
      return reaches.every((reach) => reach !== null) ? reaches.flat() : null
    }
    case 'all':
      return rule.of.map(reachOf).find((reach) => reach !== null) ?? null
  }
}

/** A host that is no domain name (a single label, one with a port) touches itself only. */
const literalReach = (name: string, values: readonly string[]): readonly string[] | null =>
  ['Host', 'HostHeader', 'HostSNI'].includes(name) && !values.includes('*') ? values.map(spelling) : null

function spelling(value: string): string {
  const parsed = parseDomainName(value)
  return parsed.ok ? parsed.value : value.toLowerCase()
}

const matcherText = (name: string, values: readonly string[]): string =>
  `${name}(${values.map((value) => `\`${value}\``).join(', ')})`
