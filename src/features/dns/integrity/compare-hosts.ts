/** Whether the resolvers of the network send the hosts of the routes file to the proxy. Pure. */
import { isIP } from 'node:net'
import { MANAGED_TYPES, type ManagedType } from '../../../model/network/dns.ts'
import { resolverAnswers } from '../../../model/resolver.ts'
import type { Override, ResolverAnswer, ResolverView } from '../../../model/resolver/view.ts'
import { indexed, zoneAround } from '../../../model/resolver/resolver-index.ts'
import type { HostAnswer, ComparedHost, HOST_STATES } from '../views.ts'

/** What is asked together: the files of one resolver in their order, or one API. */
export interface ResolverUnit {
  /** The sources that it consists of. */
  readonly resolver: string
  readonly views: readonly ResolverView[]
  /** Not all of it could be read, so that nothing is certainly missing. */
  readonly has_gaps: boolean
}
export type HostState = (typeof HOST_STATES)[number]

/** A name that nobody gives a host, for asking what a wildcard answers. */
const ANY_LABEL = 'plumbline-any'

export function compareHosts(
  hosts: readonly string[],
  units: readonly ResolverUnit[],
  expected: readonly string[],
): readonly ComparedHost[] {
  const asked = units.map((unit) => ({ unit, answers: unit.views.map(resolverAnswers) }))
  return hosts.map((host) => {
    const name = host.replace(/^\*(?=\.)/, ANY_LABEL)
    const found: HostAnswer[] = []
    const states: HostState[] = []
    for (const { unit, answers } of asked) {
      const own = MANAGED_TYPES.map((type) => {
        const answer = firstOf(answers.map((answerOf) => answerOf(name, type)))
        return { resolver: unit.resolver, type, ...plain(answer) }
      })
      found.push(...own)
      states.push(stateOf(own, expected, unit.has_gaps))
    }
    return { host, status: worst(states), expected, found }
  })
}

/** Files of one resolver: whatever the first of them answers is the answer. */
const firstOf = (answers: readonly ResolverAnswer[]): ResolverAnswer =>
  answers.find(({ kind }) => kind !== 'forwarded') ?? { kind: 'forwarded' }

const plain = (answer: ResolverAnswer): Pick<HostAnswer, 'kind' | 'values' | 'via'> => ({
  kind: answer.kind,
  values: answer.kind === 'addresses' ? answer.values : [],
  via: 'via' in answer ? answer.via : [],
})

/** A type for which no address of the proxy is set is only shown. */
function stateOf(found: readonly HostAnswer[], expected: readonly string[], has_gaps: boolean): HostState {
  const compared = found.filter(({ type }) => expected.length === 0 || expectedOf(expected, type).length > 0)
  const states = compared.map((answer) => stateOfType(answer, expectedOf(expected, answer.type)))
  if (states.includes('wrong')) return 'wrong'
  const is_there = expected.length === 0 ? states.includes('ok') : states.every((state) => state === 'ok')
  if (is_there) return 'ok'
  return has_gaps || states.includes('unknown') ? 'unknown' : 'missing'
}

/** An alias that leads out of the overrides has its address from the upstream, which is not known here. */
function stateOfType({ kind, values }: HostAnswer, expected: readonly string[]): HostState {
  if (kind === 'alias') return expected.length === 0 ? 'ok' : 'unknown'
  if (kind !== 'addresses') return 'missing'
  return expected.length === 0 || sameSet(values, expected) ? 'ok' : 'wrong'
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value) => b.includes(value))

const expectedOf = (expected: readonly string[], type: ManagedType): readonly string[] =>
  expected.filter((address) => isIP(address) === (type === 'A' ? 4 : 6))

const WORST: readonly HostState[] = ['wrong', 'missing', 'unknown']

/** With several resolvers a client may ask any of them. */
const worst = (states: readonly HostState[]): HostState =>
  WORST.find((state) => states.includes(state)) ?? (states.length === 0 ? 'unknown' : 'ok')

/** Overrides that lead to the proxy for names that have no route. */
export function extraOverrides(
  hosts: readonly string[],
  views: readonly ResolverView[],
  expected: readonly string[],
): readonly Override[] {
  const routed = new Set(hosts)
  const parents = new Set(hosts.flatMap((host) => parentsOf(host)))
  return views.flatMap((view) => {
    const serving = servingRedirects(view, hosts)
    return leadingTo(view, expected).filter(({ name, scope }) => {
      if (serving.has(name) || (scope !== 'exact' && parents.has(name))) return false
      return scope === 'below' || !(routed.has(name) || routed.has(`*.${parentOf(name)}`))
    })
  })
}

/** Zones of Unbound whose own data answers for every name below them, where one of these hosts is such a name. */
function servingRedirects(view: ResolverView, hosts: readonly string[]): ReadonlySet<string> {
  const index = indexed(view)
  const zones = hosts.map((host) => zoneAround(index, host.replace(/^\*(?=\.)/, ANY_LABEL)))
  return new Set(zones.flatMap((zone) => (zone?.rule === 'redirect' ? [zone.name] : [])))
}

/** By themselves, or as aliases of a name that the same resolver sends there. */
function leadingTo(view: ResolverView, expected: readonly string[]): readonly Override[] {
  const answerOf = resolverAnswers(view)
  const isThere = (name: string) =>
    MANAGED_TYPES.some((type) => {
      const answer = answerOf(name, type)
      return answer.kind === 'addresses' && answer.values.some((value) => expected.includes(value))
    })
  return view.overrides.filter(({ name, scope, type, value }) => {
    if (value === null) return false
    if (type !== 'CNAME') return expected.includes(value)
    return isThere(scope === 'below' ? `${ANY_LABEL}.${name}` : name)
  })
}

const parentOf = (name: string): string => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : '')

function parentsOf(name: string): string[] {
  const parents: string[] = []
  for (let at = name; at !== '';) {
    at = parentOf(at)
    parents.push(at)
  }
  return parents
}
