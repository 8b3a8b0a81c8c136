/** The part of the routes file that belongs to one record, as values. */
import { type ResponseHeader, responseHeaders } from '../../../model/domain/response-headers.ts'

export interface GeneratedEntry {
  /** The file's own text for this record alone, with the shared middlewares that it uses. */
  readonly yaml: string
  readonly routes: readonly GeneratedRoute[]
  /** What the proxy makes of the headers of answers, whatever the backend says. CORS is beside it. */
  readonly response_headers: readonly RouteHeaders[]
}

export interface RouteHeaders {
  readonly router: string
  readonly headers: readonly ResponseHeader[]
}

/** A router and where it leads. Names are without a provider. */
export interface GeneratedRoute {
  readonly kind: 'http' | 'tcp'
  readonly router: string
  readonly rule: string
  readonly entrypoints: readonly string[]
  readonly middlewares: readonly string[]
  readonly tls: boolean
  readonly cert_resolver: string | null
  readonly priority: number | null
  readonly service: string
  /** Servers behind the service; empty for a service of the proxy's own. */
  readonly addresses: readonly string[]
}

/** Routes out of a routes file that was read as a document. Pure; what does not have the form is left out. */
export function routesIn(document: unknown): readonly GeneratedRoute[] {
  return (['http', 'tcp'] as const).flatMap((kind) => {
    const section = mapOf(mapOf(document)[kind])
    const services = mapOf(section['services'])
    return Object.entries(mapOf(section['routers'])).map(([router, value]) => {
      const { rule, service, tls, priority, ...config } = mapOf(value)
      return {
        kind,
        router,
        rule: textOf(rule),
        entrypoints: textsOf(config['entryPoints']),
        middlewares: textsOf(config['middlewares']),
        tls: tls !== undefined,
        cert_resolver: textOf(mapOf(tls)['certResolver']) || null,
        priority: typeof priority === 'number' ? priority : null,
        service: textOf(service),
        addresses: addressesOf(services[textOf(service)]),
      }
    })
  })
}

/** The final headers of each HTTP router in such a document. */
export function responseHeadersIn(document: unknown): readonly RouteHeaders[] {
  const middlewares = mapOf(mapOf(mapOf(document)['http'])['middlewares'])
  return routesIn(document).flatMap(({ kind, router, tls, middlewares: names }) => {
    if (kind !== 'http') return []
    const configs = names.map((name) => mapOf(mapOf(middlewares[name])['headers']))
    return [{ router, headers: responseHeaders(configs, tls) }]
  })
}

function addressesOf(service: unknown): readonly string[] {
  const { servers } = mapOf(mapOf(service)['loadBalancer'])
  return Array.isArray(servers)
    ? servers.map((server) => textOf(mapOf(server)['url'] ?? mapOf(server)['address']))
    : []
}

const mapOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(textOf) : [])
