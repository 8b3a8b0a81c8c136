/** TCP routers: `HostSNI` of names with TLS, and the one route that takes everything on an entrypoint of its own. */
import { FIELDS } from '../../../../model/domain/record.ts'
import { accept, type Parsed, refuse } from '../../../../model/text/result.ts'
import type { ImportContext } from '../../../../ports/import-context.ts'
import { hostsOf, reachOf } from './hosts.ts'
import { elsewhereReason, type Inventory, type Item, resolve, TEMPLATE_REASON } from '../inventory.ts'
import type { FilePosition } from '../place.ts'
import { named } from '../../../routes/grammar/named.ts'
import { parseRule, type Rule, TCP_MATCHERS } from '../../../routes/grammar/rule.ts'
import { DOMAINS_NOTE, resolverNotes } from './router-binding.ts'
import { ourName, renamedNotes } from '../their-entrypoints.ts'
import {
  type Fields,
  flagOf,
  isMapping,
  listOf,
  shape,
  textOf,
  wholeOf,
} from '../../../routes/grammar/tree.ts'

export interface TcpPlan {
  readonly item: Item
  readonly outcome: TcpOutcome
  /** Null: any name. */
  readonly reach: readonly string[] | null
  /** `HostSNI("*")` and nothing else, which Traefik puts behind every name by itself unless it has a priority. */
  readonly catch_all: boolean
  readonly entrypoints: readonly string[] | null
}

export type TcpOutcome =
  | { readonly kind: 'route'; readonly route: TcpRoute }
  | { readonly kind: 'stays'; readonly reason: string }

export interface TcpRoute {
  /** Null: everything that arrives on the entrypoint. */
  readonly hosts: readonly string[] | null
  readonly entrypoint: string
  readonly backend_host: string
  readonly backend_port: number
  readonly uses: readonly FilePosition[]
  readonly notes: readonly string[]
}

const ROUTER = ['rule', 'service', 'entryPoints', 'middlewares', 'priority', 'ruleSyntax', 'tls'] as const
type RouterFields = Fields<(typeof ROUTER)[number]>

export function planTcpRouter(item: Item, inventory: Inventory, context: ImportContext): TcpPlan {
  const router = shape(item.value, ROUTER)
  const fields: RouterFields = router.ok ? router.fields : {}
  const rule = parseRule(textOf(fields.rule) ?? '', TCP_MATCHERS)
  const plan = {
    item,
    reach: rule.ok && !item.template ? reachOf(rule.rule) : [],
    catch_all: rule.ok && isCatchAll(rule.rule) && (wholeOf(fields.priority ?? 0) ?? 1) === 0,
    entrypoints: fields.entryPoints === undefined ? null : (listOf(fields.entryPoints) ?? []),
  }
  const stays = (reason: string): TcpPlan => ({ ...plan, outcome: { kind: 'stays', reason } })
  if (item.template) return stays(TEMPLATE_REASON)
  if (!router.ok) return stays(router.reason)
  if (!rule.ok) return stays(rule.reason)
  const route = routeOf(fields, rule.rule, { inventory, context, entrypoints: plan.entrypoints })
  return route.ok ? { ...plan, outcome: { kind: 'route', route: route.value } } : stays(route.msg)
}

interface Surroundings {
  readonly inventory: Inventory
  readonly context: ImportContext
  readonly entrypoints: readonly string[] | null
}

function routeOf(
  fields: RouterFields,
  rule: Rule,
  { inventory, context, entrypoints }: Surroundings,
): Parsed<TcpRoute> {
  const [entrypoint, ...more] = entrypoints ?? []
  if (entrypoint === undefined || more.length > 0)
    return refuse('entrypoint', 'is not on exactly one entrypoint; a record names one')
  const ours = ourName(entrypoint, context)
  if (!context.offer.tcp_entrypoints.includes(ours))
    return refuse(
      'entrypoint',
      `is on the entrypoint ${named(entrypoint)}, which is not one of this installation's for TCP`,
    )
  if (fields.middlewares !== undefined && listOf(fields.middlewares)?.length !== 0)
    return refuse('middleware', 'has TCP middlewares, which a record cannot say')
  if (fields.priority !== undefined) return refuse('priority', 'has a priority, which a record cannot say')
  const tls = tlsFault(fields.tls)
  if (tls !== null) return refuse('tls', tls)
  const hosts = hostsFor(rule, fields.tls !== undefined)
  if (!hosts.ok) return hosts
  const backend = tcpBackend(textOf(fields.service) ?? '', inventory)
  if (!backend.ok) return backend
  const notes = [...tlsNotes(fields.tls, context), ...renamedNotes([entrypoint], context)]
  return accept({ hosts: hosts.value, entrypoint: ours, ...backend.value, notes })
}

function tlsNotes(tls: unknown, context: ImportContext): string[] {
  const read = shape(tls, TLS)
  if (!read.ok) return []
  return [
    ...resolverNotes(read.fields.certResolver, context),
    ...(read.fields.domains === undefined ? [] : [DOMAINS_NOTE]),
  ]
}

const isCatchAll = (rule: Rule): boolean =>
  rule.kind === 'match' && rule.name === 'HostSNI' && rule.values.join() === '*'

function hostsFor(rule: Rule, tls: boolean): Parsed<readonly string[] | null> {
  if (isCatchAll(rule)) return tls ? refuse('rule', 'takes every TLS name on its entrypoint') : accept(null)
  const hosts = hostsOf(rule)
  if (!hosts.ok) return hosts
  return tls ? accept(hosts.value.names) : refuse('rule', 'names a host without TLS, which Traefik refuses')
}

const TLS = ['passthrough', 'certResolver', 'domains', 'options'] as const

function tlsFault(tls: unknown): string | null {
  if (tls === undefined) return null
  if (!isMapping(tls)) return 'has a tls that is no mapping'
  const read = shape(tls, TLS)
  if (!read.ok) return `has a tls that ${read.reason}`
  if (read.fields.passthrough !== undefined && flagOf(read.fields.passthrough) !== false)
    return 'passes TLS through to its backend, which a record cannot say'
  const options = textOf(read.fields.options)
  return options === null || options === 'default' ? null : `has the TLS options ${named(options)}`
}

type TcpBackend = Pick<TcpRoute, 'backend_host' | 'backend_port' | 'uses'>

function tcpBackend(reference: string, inventory: Inventory): Parsed<TcpBackend> {
  const found = resolve(inventory, 'tcp.services', reference)
  if (found.kind === 'elsewhere') return refuse('service', elsewhereReason('service', found))
  const { item } = found
  const backend = item.template ? refuse('service', TEMPLATE_REASON) : readTcpService(item)
  return backend.ok
    ? backend
    : refuse('service', `uses the service ${named(item.name)}, which ${backend.msg}`)
}

function readTcpService(item: Item): Parsed<TcpBackend> {
  const [kind, ...others] = Object.keys(item.value)
  if (kind === undefined || others.length > 0 || kind.toLowerCase() !== 'loadbalancer')
    return refuse('service', 'is not one load balancer with one server')
  const balancer = shape(item.value[kind], ['servers'])
  if (!balancer.ok) return refuse('service', balancer.reason)
  const { servers } = balancer.fields
  if (!Array.isArray(servers) || servers.length !== 1) return refuse('service', 'does not have one server')
  const server = shape(servers[0], ['address', 'tls'])
  if (!server.ok) return refuse('service', `has a server that ${server.reason}`)
  if (server.fields.tls !== undefined && flagOf(server.fields.tls) !== false)
    return refuse('service', 'speaks TLS to its server, which a record cannot say')
  return readDialString(textOf(server.fields.address) ?? '', { file: item.file, where: item.where })
}

function readDialString(address: string, place: FilePosition): Parsed<TcpBackend> {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+)):([0-9]{1,5})$/i.exec(address) ?? []
  const host = FIELDS.backend_host.parse(bracketed ?? plain ?? '')
  const number = FIELDS.backend_port.parse(wholeOf(port))
  if (!host.ok || !number.ok || host.value === null || number.value === null)
    return refuse(
      'service',
      `has the server ${named(address)}, which is not a host and port that a record can name`,
    )
  return accept({ backend_host: host.value, backend_port: number.value, uses: [place] })
}
