/** The HTTP part of the runtime: routers with what answers for them, or with the reason why nothing does. */
import { compileRule, rulePriority } from '../rules/compile.ts'
import { domainsOf } from '../rules/domains.ts'
import { hostMatcher } from '../rules/host.ts'
import { HTTP_MATCHERS, type IsMatch, type RequestFacts } from '../rules/matchers.ts'
import type { StaticConfig } from '../static.ts'
import type { Ask, Dial } from '../traffic/ask.ts'
import type { Handler } from '../traffic/exchange.ts'
import type { Transport } from '../traffic/transport.ts'
import { bindEntrypoints, routersOf } from './entrypoints.ts'
import { MAX_PRIORITY } from './internal.ts'
import { middlewareBuilder } from './middlewares.ts'
import {
  addError,
  byName,
  objectsOf,
  type Part,
  qualified,
  type RuntimeObject,
  type Sections,
  withUsers,
} from './objects.ts'
import { serviceBuilder } from './services.ts'

/** A router that takes requests. */
export interface Route {
  readonly router: RuntimeObject
  readonly is_secure: boolean
  readonly priority: bigint
  readonly isMatch: IsMatch<RequestFacts>
  /** Whether its rule names the server that a greeting of TLS asks for; null for one that names none, or any. */
  readonly isNamed: ((server_name: string) => boolean) | null
  readonly handler: Handler
}

export interface Needs {
  readonly known: StaticConfig
  readonly dial: Dial
  readonly ask: Ask
  readonly internal: Readonly<Record<string, Handler>>
  /** Names of TLS options that routers may use. */
  readonly tls_options: ReadonlySet<string>
}

export interface BuiltHttp {
  readonly part: Part
  readonly routes: readonly Route[]
}

export function buildHttp(sections: Sections, needs: Needs): BuiltHttp {
  const { known, dial, ask, internal, tls_options } = needs
  const middlewares = objectsOf(sections, 'middlewares')
  const services = objectsOf(sections, 'services').map(withDefaults)
  const routers = byName(
    [...sections].flatMap(([provider, { routers: all = {} }]) =>
      Object.entries(all).flatMap(([name, config]) => routersOf(name, config, { provider, known })),
    ),
  )
  const transports = new Map<string, Transport>(
    objectsOf(sections, 'serversTransports').map((one) => [one.name, one as Transport]),
  )
  const { chain } = middlewareBuilder(middlewares, { plugins: known.plugins, ask })
  const { service } = serviceBuilder(services, { dial, transports, internal, chain })

  const route = (router: RuntimeObject): readonly Route[] => {
    bindEntrypoints(router, known)
    if (router.status === 'disabled') return []
    const rule = (router['rule'] as string | undefined) ?? ''
    const priority = priorityOf(router, rule)
    try {
      if (priority > MAX_PRIORITY && router.provider !== 'internal')
        throw new Error(
          `the router priority ${priority} exceeds the max user-defined priority ${MAX_PRIORITY}`,
        )
      checkTls(router, tls_options)
      const wanted = router['service'] as string | undefined
      if (wanted === undefined || wanted === '') throw new Error('the service is missing on the router')
      const backend = service(qualified(wanted, router.provider))
      const handler = chain((router['middlewares'] as readonly string[] | undefined) ?? [], backend)
      const isMatch = compileRule(rule, HTTP_MATCHERS)
      const is_secure = router['tls'] !== undefined
      return [{ router, is_secure, priority, isMatch, isNamed: namedBy(rule), handler }]
    } catch (error) {
      addError(router, (error as Error).message)
      return []
    }
  }
  const routes = routers.flatMap(route)
  return {
    routes: routes.toSorted((a, b) => (a.priority > b.priority ? -1 : a.priority < b.priority ? 1 : 0)),
    part: {
      routers,
      services: withUsers(services, routers, ({ service: name, provider }) => [
        qualified(String(name), provider),
      ]),
      middlewares: withUsers(
        middlewares,
        routers,
        (router) => (router['middlewares'] as string[] | undefined) ?? [],
      ),
    },
  }
}

function namedBy(rule: string): Route['isNamed'] {
  const domains = domainsOf(rule).filter((domain) => domain !== '*')
  const matchers = domains.map(hostMatcher)
  return matchers.length === 0 ? null : (name) => matchers.some((isHost) => isHost(name))
}

/** The API tells a number that JSON may not hold as text, too. */
function priorityOf(router: RuntimeObject, rule: string): bigint {
  const own = BigInt((router['priority'] as number | bigint | undefined) ?? 0)
  const priority = own === 0n ? BigInt(rulePriority(rule)) : own
  Object.assign(router, { priority: Number(priority), priorityStr: String(priority) })
  return priority
}

function checkTls(router: RuntimeObject, tls_options: ReadonlySet<string>): void {
  const tls = router['tls'] as { readonly options: string } | undefined
  if (tls === undefined || tls.options === 'default') return
  const options = qualified(tls.options, router.provider)
  if (!tls_options.has(options)) throw new Error(`building router handler: unknown TLS options: ${options}`)
}

interface Balancer {
  readonly servers?: readonly { readonly url?: string }[]
}

function withDefaults(service: RuntimeObject): RuntimeObject {
  const balancer = service['loadBalancer'] as Balancer | undefined
  if (balancer === undefined) return service
  const status = (balancer.servers ?? []).map(({ url = '' }) => [url, 'UP'] as const)
  return {
    ...service,
    loadBalancer: {
      strategy: 'wrr',
      passHostHeader: true,
      responseForwarding: { flushInterval: '100ms' },
      ...balancer,
    },
    serverStatus: Object.fromEntries(status),
  }
}
