/** Builds the backends behind routers: balancers in turn, and services that stand for others. */
import type { Dial } from '../traffic/ask.ts'
import { type Handler, reply } from '../traffic/exchange.ts'
import { forwardTo } from '../traffic/forward.ts'
import type { Transport } from '../traffic/transport.ts'
import { orItsError, type Config, qualified, type RuntimeObject } from './objects.ts'

export interface ServiceBuilder {
  /** @throws in Traefik's words. */
  readonly service: (name: string) => Handler
}

interface Needs {
  readonly dial: Dial
  /** By full name. */
  readonly transports: ReadonlyMap<string, Transport>
  readonly internal: Readonly<Record<string, Handler>>
  readonly chain: (names: readonly string[], next: Handler) => Handler
}

const TYPES = ['loadBalancer', 'weighted', 'highestRandomWeight', 'mirroring', 'failover'] as const

interface Balancer {
  readonly servers?: readonly { readonly url?: string; readonly weight?: number }[]
  readonly passHostHeader?: boolean
  readonly serversTransport?: string
  readonly strategy?: string
}

export function serviceBuilder(objects: readonly RuntimeObject[], needs: Needs): ServiceBuilder {
  const known = new Map(objects.map((one) => [one.name, one]))
  const built = new Map<string, Handler>()

  const service = (name: string, above: readonly string[]): Handler => {
    const done = built.get(name) ?? needs.internal[name]
    if (done !== undefined) return done
    const object = known.get(name)
    if (object === undefined) throw new Error(`the service "${name}" does not exist`)
    if (object.status === 'disabled') throw new Error((object.error ?? []).join(', '))
    const made = orItsError(object, () => make(object, above))
    built.set(name, made)
    return made
  }
  const make = (object: RuntimeObject, above: readonly string[]): Handler => {
    const { name, provider } = object
    const types = TYPES.filter((type) => object[type] !== undefined)
    if (types.length > 1)
      throw new Error(
        'cannot create service: multi-types service not supported, consider declaring two different pieces of service instead',
      )
    if (above.includes(name))
      throw new Error(
        `could not instantiate service ${name}: recursion detected in ${[...above, name].join('->')}`,
      )
    const [type] = types
    if (type === undefined) throw new Error(`the service "${name}" does not have any type defined`)
    const config = object[type] as Config
    const handler =
      type === 'loadBalancer'
        ? balanced(config, provider)
        : inTurn(childrenOf(config).map((child) => service(qualified(child, provider), [...above, name])))
    const own = (object['middlewares'] as readonly string[] | undefined) ?? []
    return needs.chain(
      own.map((one) => qualified(one, provider)),
      handler,
    )
  }
  const balanced = (config: Balancer, provider: string): Handler => {
    const { servers = [], passHostHeader: passes_host = true, serversTransport, strategy = 'wrr' } = config
    if (!['wrr', 'p2c', 'hrw', 'leasttime'].includes(strategy))
      throw new Error(`unsupported load-balancer strategy "${strategy}"`)
    const named = serversTransport === undefined ? null : qualified(serversTransport, provider)
    const transport = named === null ? {} : needs.transports.get(named)
    if (transport === undefined) throw new Error(`servers transport not found ${named}`)
    return inTurn(
      servers.map(({ url = '' }) => {
        if (!URL.canParse(url)) throw new Error(`error parsing server URL ${url}: parse "${url}"`)
        return forwardTo({ url, passes_host, transport }, needs.dial)
      }),
    )
  }
  return { service: (name) => service(name, []) }
}

/** Those that share the requests; of the others the one that is asked while it is well. */
function childrenOf(config: Config): readonly string[] {
  const services = config['services'] as
    | readonly { readonly name: string; readonly weight?: number }[]
    | undefined
  if (services === undefined) return [String(config['service'])]
  return services.filter(({ weight = 1 }) => weight > 0).map(({ name }) => name)
}

function inTurn(handlers: readonly Handler[]): Handler {
  let turn = 0
  return (exchange) => {
    const handler = handlers[turn++ % handlers.length]
    if (handler === undefined) return reply(exchange, { status: 503, body: 'no available server\n' })
    return handler(exchange)
  }
}
