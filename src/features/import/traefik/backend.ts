/** From an HTTP service to the one backend that a record can name. */
import { type BackendScheme, type BackendTls, schemeOf } from '../../../model/domain/backend-tls.ts'
import { FIELDS } from '../../../model/domain/record.ts'
import { accept, type Parsed, refuse } from '../../../model/text/result.ts'
import { type BackendSetting, readTransport } from './backend-transport.ts'
import { elsewhereReason, type Item, resolve, TEMPLATE_REASON } from './inventory.ts'
import type { FilePosition } from './place.ts'
import { named } from '../../routes/grammar/named.ts'
import { type Fields, flagOf, shape, textOf, wholeOf } from '../../routes/grammar/tree.ts'

export interface Backend {
  readonly backend_host: string
  readonly backend_port: number
  readonly backend_scheme: BackendScheme | null
  readonly backend_tls: BackendTls | null
  readonly health_check_path: string | null
  /** False: the backend sees its own name, not the one that was asked for. */
  readonly pass_host_header: boolean
  /** Timeouts of its own towards the backend. */
  readonly timeouts: boolean
  /** Every byte is passed on at once. */
  readonly unbuffered: boolean
  readonly notes: readonly string[]
  readonly uses: readonly FilePosition[]
}

const BALANCER = [
  'servers',
  'passHostHeader',
  'strategy',
  'sticky',
  'healthCheck',
  'passiveHealthCheck',
  'responseForwarding',
  'serversTransport',
] as const
/** `strategy` chooses among servers, and there is one. */
const UNSAYABLE = ['sticky', 'passiveHealthCheck'] as const

/** What the service `reference` comes to, or why no record can say it, as the end of a sentence about its router. */
export function backendOf(reference: string, setting: BackendSetting): Parsed<Backend> {
  const { inventory } = setting
  const found = resolve(inventory, 'http.services', reference)
  if (found.kind === 'elsewhere') return refuse('service', elsewhereReason('service', found))
  const read = readService(found.item, setting)
  return read.ok ? read : refuse('service', `uses the service ${named(found.item.name)}, which ${read.msg}`)
}

function readService(item: Item, setting: BackendSetting): Parsed<Backend> {
  if (item.template) return refuse('service', TEMPLATE_REASON)
  const [kind, ...others] = Object.keys(item.value)
  if (kind === undefined || others.length > 0 || kind.toLowerCase() !== 'loadbalancer')
    return refuse('service', `is ${kinds(item.value)}, not one load balancer with one server`)
  const balancer = shape(item.value[kind], BALANCER)
  if (!balancer.ok) return refuse('service', balancer.reason)
  const unsayable = UNSAYABLE.find((key) => balancer.fields[key] !== undefined)
  if (unsayable !== undefined) return refuse('service', `has ${named(unsayable)}, which a record cannot say`)
  return readBalancer(item, balancer.fields, setting)
}

const kinds = (value: Readonly<Record<string, unknown>>): string =>
  Object.keys(value).slice(0, 3).map(named).join(' and ') || 'empty'

function readBalancer(
  item: Item,
  fields: Fields<(typeof BALANCER)[number]>,
  setting: BackendSetting,
): Parsed<Backend> {
  const server = readServer(fields.servers)
  if (!server.ok) return server
  const health = healthOf(fields.healthCheck)
  if (!health.ok) return health
  const transport = readTransport(fields.serversTransport, schemeOf(server.value) === 'https', setting)
  if (!transport.ok) return transport
  const pass = fields.passHostHeader === undefined ? true : flagOf(fields.passHostHeader)
  if (pass === null) return refuse('service', 'has a passHostHeader that is neither true nor false')
  const unbuffered = readForwarding(fields.responseForwarding)
  if (!unbuffered.ok) return unbuffered
  return accept({
    ...server.value,
    backend_tls: transport.value.backend_tls,
    health_check_path: health.value.path,
    pass_host_header: pass,
    timeouts: transport.value.timeouts,
    unbuffered: unbuffered.value,
    notes: health.value.notes,
    uses: [{ file: item.file, where: item.where }, ...transport.value.uses],
  })
}

interface Server {
  readonly backend_host: string
  readonly backend_port: number
  readonly backend_scheme: BackendScheme | null
}

const URL_FORM = /^(https?|h2c):\/\/(\[[0-9a-f:.]+\]|[^\s/:?#@[\]]+)(?::([0-9]{1,5}))?(\/?)$/i

function readServer(servers: unknown): Parsed<Server> {
  if (!Array.isArray(servers) || servers.length === 0) return refuse('service', 'has no server')
  if (servers.length > 1) return refuse('service', `has ${servers.length} servers; a record has one`)
  const server = shape(servers[0], ['url', 'weight', 'preservePath'])
  if (!server.ok) return refuse('service', `has a server that ${server.reason}`)
  const { weight } = server.fields
  if (weight !== undefined && (wholeOf(weight) ?? 0) < 1)
    return refuse('service', 'has a server whose weight is not 1 or more')
  const url = textOf(server.fields.url) ?? ''
  const [, scheme, host, port] = URL_FORM.exec(url) ?? []
  if (scheme === undefined || host === undefined)
    return refuse('service', `has the server ${named(url)}, which is not http://host:port`)
  return readAddress(url, scheme.toLowerCase() as BackendScheme, host, port)
}

/** Of a scheme that the port says by itself nothing is said. */
function readAddress(
  url: string,
  scheme: BackendScheme,
  host: string,
  port: string | undefined,
): Parsed<Server> {
  const backend_port = port === undefined ? (scheme === 'https' ? 443 : 80) : wholeOf(port)
  const parsedPort = FIELDS.backend_port.parse(backend_port ?? port)
  if (!parsedPort.ok) return refuse('service', `has the server ${named(url)}, whose port ${parsedPort.msg}`)
  const parsed = FIELDS.backend_host.parse(host.startsWith('[') ? host.slice(1, -1) : host)
  if (!parsed.ok) return refuse('service', `has the server ${named(url)}, whose host ${parsed.msg}`)
  const by_port = schemeOf({ backend_scheme: null, backend_port })
  return accept({
    backend_host: parsed.value!,
    backend_port: parsedPort.value!,
    backend_scheme: scheme === by_port ? null : scheme,
  })
}

/** A negative interval means no buffering, as the service type `websocket` has it; 100 ms is what Traefik does anyway. */
function readForwarding(value: unknown): Parsed<boolean> {
  if (value === undefined) return accept(false)
  const forwarding = shape(value, ['flushInterval'])
  const interval = forwarding.ok ? textOf(forwarding.fields.flushInterval) : null
  if (interval !== null && /^-[0-9]+(?:ns|us|ms|s)?$/.test(interval)) return accept(true)
  return interval === '100ms'
    ? accept(false)
    : refuse('service', 'has a responseForwarding that a record cannot say')
}

// A service's health check: a record has its path, and the rest is the installation's.

interface Health {
  readonly path: string | null
  readonly notes: readonly string[]
}

const TIMING = ['interval', 'unhealthyInterval', 'timeout'] as const
/** Fields that change nothing with the value that Traefik takes anyway. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  scheme: ['http'],
  mode: ['http'],
  method: ['GET'],
  followRedirects: ['true'],
}
const KEYS = [
  'path',
  'port',
  'hostname',
  'status',
  'headers',
  'scheme',
  'mode',
  'method',
  'followRedirects',
  ...TIMING,
] as const

/** Refusals are the end of a sentence about the service. */
function healthOf(value: unknown): Parsed<Health> {
  if (value === undefined) return accept({ path: null, notes: [] })
  const check = shape(value, KEYS)
  if (!check.ok) return refuse('service', `has a health check that ${check.reason}`)
  const { path, ...others } = check.fields
  for (const [key, given] of Object.entries(others)) {
    if ((TIMING as readonly string[]).includes(key)) continue
    if (!(USUAL[key] ?? []).includes(textOf(given) ?? ''))
      return refuse('service', `has a health check with ${named(key)}, which a record cannot say`)
  }
  const parsed = FIELDS.health_check_path.parse(textOf(path) ?? null)
  if (!parsed.ok || parsed.value === null)
    return refuse('service', `has a health check whose path ${parsed.ok ? 'is missing' : parsed.msg}`)
  const timed = TIMING.some((key) => others[key] !== undefined)
  return accept({
    path: parsed.value,
    notes: timed ? ['health checks keep their path, not their interval and timeout'] : [],
  })
}
