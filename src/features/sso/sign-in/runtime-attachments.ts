/**
 * Which hosts the running proxy asks the SSO provider about. Pure, from one snapshot of it.
 *
 * Chains are expanded and the entrypoint's own middlewares counted. A forwardAuth is judged by where it asks, because a
 * middleware of our name may be somebody else's; one that is disabled protects nobody.
 */
import { nameOf } from '../../../model/access/hosts.ts'
import type { ProxyMiddleware, ProxyRouter, ProxySnapshot } from '../../routes/traefik/port.ts'
import { type HostAsked, type EvaluatedRule, evaluateRule } from '../../routes/proxy/shadow/reach.ts'
import { priorityOf, starsOf } from '../../routes/proxy/shadow/rivals.ts'
import type { SsoService } from '../service.ts'

export interface RuntimeRouter {
  readonly name: string
  /** As records name them, a pattern as it is written; empty for a router without a host, which may serve any. */
  readonly hosts: readonly string[]
  readonly is_protected: boolean
  readonly entrypoints: readonly string[]
  /** In effect. */
  readonly priority: number
  readonly rule: EvaluatedRule
  /** Entrypoints on which whoever sends a request chooses which one the check judges. */
  readonly forgeable_on: readonly string[]
}

export type RoutersAsked = Pick<SsoService, 'forward_auth_url' | 'mayOpen'>

/** Routers that lead to a backend, but for those of open paths that open these and nothing else. Those of the proxy's own services, such as redirects, lead nowhere. */
export function runtimeRouters(
  snapshot: ProxySnapshot,
  { forward_auth_url, mayOpen }: RoutersAsked,
): readonly RuntimeRouter[] {
  const by_name = new Map(snapshot.middlewares.map((middleware) => [middleware.name, middleware]))
  const isCheck = (one: ProxyMiddleware): boolean => isSameUrl(one.forward_auth_address, forward_auth_url)
  const asks = (name: string): boolean => reaches(name, by_name, isCheck)
  const asksItself = (name: string): boolean =>
    reaches(name, by_name, (one) => isCheck(one) && !one.forward_auth_believes)
  const stars = starsOf(snapshot.version)
  return snapshot.routers
    .filter(({ kind, status, service }) => kind === 'http' && status !== 'disabled' && !isInternal(service))
    .filter((router) => !opensItsPaths(router, mayOpen))
    .map((router) => ({ router, rule: evaluateRule('http', router.rule, stars) }))
    .map(({ router, rule }) => ({
      name: router.name,
      hosts: rule.hosts.map(hostName),
      entrypoints: router.entrypoints,
      priority: priorityOf(router),
      rule,
      is_protected: isProtected(router, snapshot, asks),
      forgeable_on: snapshot.entrypoints
        .filter(({ name, believes }) => router.entrypoints.includes(name) && believes.some(isEverybody))
        .filter(({ middlewares }) => ![...middlewares, ...router.middlewares].some(asksItself))
        .map(({ name }) => name),
    }))
}

/** It reads what we write, and has a rule that we would write. */
const opensItsPaths = ({ name, rule, tls }: ProxyRouter, mayOpen: RoutersAsked['mayOpen']): boolean =>
  mayOpen({ name: name.replace(/@(?:file|http)$/, ''), rule, tls })

/** On every entrypoint that it listens on. */
function isProtected(
  { middlewares, entrypoints }: ProxyRouter,
  snapshot: ProxySnapshot,
  asks: (name: string) => boolean,
): boolean {
  if (middlewares.some(asks)) return true
  const before = snapshot.entrypoints.filter(({ name }) => entrypoints.includes(name))
  return before.length > 0 && before.every((entrypoint) => entrypoint.middlewares.some(asks))
}

/** A network that no single operator has. Private ones and those of large content networks are smaller. */
function isEverybody(network: string): boolean {
  const [address = '', length] = network.split('/')
  if (length === undefined || /^f[cd]/i.test(address)) return false
  return Number(length) < (address.includes(':') ? 16 : 8)
}

const isInternal = (service: string): boolean => service.endsWith('@internal')

/** Through chains, however they are nested; a chain that holds itself ends where it began. */
function reaches(
  first: string,
  by_name: ReadonlyMap<string, ProxyMiddleware>,
  is: (middleware: ProxyMiddleware) => boolean,
): boolean {
  const seen = new Set<string>()
  const left = [first]
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const middleware = by_name.get(name)
    if (middleware === undefined || middleware.status === 'disabled') continue
    if (is(middleware)) return true
    left.push(...middleware.members)
  }
  return false
}

function isSameUrl(a: string | null, b: string): boolean {
  if (a === null || !URL.canParse(a)) return false
  const [left, right] = [new URL(a), new URL(b)]
  return left.origin === right.origin && left.pathname === right.pathname
}

/** A regular expression of our making is the star that it stands for. */
const hostName = ({ kind, text }: HostAsked): string =>
  kind === 'literal' ? text : nameOf({ kind, text: text.toLowerCase() })
