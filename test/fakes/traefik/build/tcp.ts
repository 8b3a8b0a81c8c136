/** The TCP part of the runtime: routers by server name, each to end TLS itself or to pass it through. */
import { addressList } from '../addresses.ts'
import { compileRule, rulePriority } from '../rules/compile.ts'
import type { IsMatch } from '../rules/matchers.ts'
import { type ConnectionFacts, TCP_MATCHERS } from '../rules/tcp-matchers.ts'
import type { StaticConfig } from '../static.ts'
import { bindEntrypoints, routersOf } from './entrypoints.ts'
import {
  addError,
  byName,
  type Config,
  objectsOf,
  type Part,
  qualified,
  type RuntimeObject,
  type Sections,
  withUsers,
} from './objects.ts'

export interface TcpRoute {
  readonly router: RuntimeObject
  readonly priority: number
  readonly isMatch: IsMatch<ConnectionFacts>
  readonly tls: 'none' | 'terminate' | 'passthrough'
  /** Its whole rule is `HostSNI(*)`. */
  readonly is_catch_all: boolean
  /** `host:port` of the servers, taken in turn. */
  readonly servers: readonly string[]
}

export interface BuiltTcp {
  readonly part: Part
  readonly routes: readonly TcpRoute[]
}

interface Server {
  readonly address?: string
}

export function buildTcp(sections: Sections, known: StaticConfig): BuiltTcp {
  const services = objectsOf(sections, 'services').map((service) => ({
    ...service,
    serverStatus: Object.fromEntries(serversOf(service).map((address) => [address, 'UP'])),
  }))
  const middlewares = objectsOf(sections, 'middlewares')
  const plain: StaticConfig = {
    ...known,
    entrypoints: known.entrypoints.map(({ name, address }) => ({ name, address })),
  }
  const routers = byName(
    [...sections].flatMap(([provider, { routers: all = {} }]) =>
      Object.entries(all).flatMap(([name, config]) => routersOf(name, config, { provider, known: plain })),
    ),
  )
  const route = (router: RuntimeObject): readonly TcpRoute[] => {
    bindEntrypoints(router, known)
    if (router.status === 'disabled') return []
    try {
      return [routeOf(router, services, middlewares)]
    } catch (error) {
      addError(router, (error as Error).message)
      return []
    }
  }
  const routes = routers.flatMap(route).toSorted((a, b) => b.priority - a.priority)
  return {
    routes,
    part: {
      routers,
      services: withUsers(services, routers, ({ service, provider }) => [
        qualified(String(service), provider),
      ]),
      middlewares: byName(middlewares),
    },
  }
}

function routeOf(
  router: RuntimeObject,
  services: readonly RuntimeObject[],
  middlewares: readonly RuntimeObject[],
): TcpRoute {
  const rule = (router['rule'] as string | undefined) ?? ''
  const own = (router['priority'] as number | undefined) ?? 0
  const is_catch_all = rule === 'HostSNI(`*`)' || rule === 'HostSNI("*")'
  const priority = own !== 0 ? own : is_catch_all ? -1 : rulePriority(rule)
  Object.assign(router, { priority, priorityStr: String(priority) })
  const wanted = router['service'] as string | undefined
  if (wanted === undefined || wanted === '') throw new Error('the service is missing on the router')
  const full = qualified(wanted, router.provider)
  const service = services.find(({ name }) => name === full)
  if (service === undefined) throw new Error(`the service "${full}" does not exist`)
  for (const name of (router['middlewares'] as readonly string[] | undefined) ?? [])
    checkMiddleware(name, middlewares)
  const isMatch = compileRule(rule, TCP_MATCHERS)
  const tls = router['tls'] as { readonly passthrough?: boolean } | undefined
  // Without TLS there is no name to look at.
  if (
    tls === undefined &&
    /HostSNI(?:Regexp)?\s*\(/i.test(rule) &&
    !/HostSNI\s*\(\s*["`]\*["`]\s*\)/i.test(rule)
  )
    throw new Error(`invalid rule: ${JSON.stringify(rule)} , has HostSNI matcher, but no TLS on router`)
  const kind = tls === undefined ? 'none' : tls.passthrough === true ? 'passthrough' : 'terminate'
  return { router, priority, isMatch, tls: kind, is_catch_all, servers: serversOf(service) }
}

function checkMiddleware(name: string, middlewares: readonly RuntimeObject[]): void {
  const found = middlewares.find((one) => one.name === name)
  if (found === undefined) throw new Error(`middleware "${name}" does not exist`)
  const list = (found['ipAllowList'] ?? found['ipWhiteList']) as
    | { readonly sourceRange?: readonly string[] }
    | undefined
  if (list !== undefined) addressList(list.sourceRange ?? [])
}

function serversOf(service: Config): readonly string[] {
  const balancer = service['loadBalancer'] as { readonly servers?: readonly Server[] } | undefined
  return (balancer?.servers ?? []).map(({ address = '' }) => address)
}
