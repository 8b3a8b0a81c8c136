/** The part of the routes file that belongs to one record, as values. */
import { responseHeaders } from '../../../model/domain/response-headers.ts'
import type { IntentRow } from '../../../model/intent.ts'
import { withoutObjects } from '../fast/without-objects.ts'
import { isMarker, nameOfItem, type RouteObjects } from '../render/objects.ts'
import { isPlainMap, type Plain, type PlainMap, type RoutesSettings } from '../render/settings.ts'
import { textOf } from '../render/text.ts'
import { renderRoutes } from '../target/desire.ts'
import type { GeneratedEntry, GeneratedRoute, RouteHeaders } from '../views.ts'

/** The row must be live. */
export function generatedEntry(row: IntentRow, settings: RoutesSettings): GeneratedEntry {
  // Its marker names a file that is nowhere.
  const alone = withoutObjects(renderRoutes({ rows: [row] }, settings), isMarker)
  const objects = alone.objects()
  const routes = routesIn(objects)
  return { yaml: textOf(alone.chunks), routes, response_headers: responseHeadersIn(objects, routes) }
}

/** Routes out of what is known of a routes file; `domains`: of these alone. Pure. */
export function routesIn(objects: RouteObjects, domains?: readonly string[]): readonly GeneratedRoute[] {
  return [...objects].flatMap(([item, { domain, value }]) => {
    const kind = KINDS.find((one) => item.startsWith(`${one}.routers.`))
    if (kind === undefined || value === undefined) return []
    if (domains !== undefined && (domain === null || !domains.includes(domain))) return []
    const service = textIn(value['service'])
    return {
      kind,
      router: nameOfItem(item),
      rule: textIn(value['rule']),
      entrypoints: textsIn(value['entryPoints']),
      middlewares: textsIn(value['middlewares']),
      tls: value['tls'] !== undefined,
      cert_resolver: textIn(mapIn(value['tls'])['certResolver']) || null,
      priority: typeof value['priority'] === 'number' ? value['priority'] : null,
      service,
      addresses: addressesOf(objects.get(`${kind}.services.${service}`)?.value),
    }
  })
}

const KINDS = ['http', 'tcp'] as const

/** The final headers of each HTTP router. */
const responseHeadersIn = (
  objects: RouteObjects,
  routes: readonly GeneratedRoute[],
): readonly RouteHeaders[] =>
  routes.flatMap(({ kind, router, tls, middlewares }) => {
    if (kind !== 'http') return []
    const configs = middlewares.map((name) =>
      mapIn(objects.get(`http.middlewares.${name}`)?.value?.['headers']),
    )
    return [{ router, headers: responseHeaders(configs, tls) }]
  })

function addressesOf(service: PlainMap | undefined): readonly string[] {
  const { servers } = mapIn(service?.['loadBalancer'])
  return Array.isArray(servers)
    ? (servers as readonly Plain[]).map((server) => textIn(mapIn(server)['url'] ?? mapIn(server)['address']))
    : []
}

const mapIn = (value: Plain | undefined): PlainMap => (isPlainMap(value) ? value : {})

const textIn = (value: Plain | undefined): string => (typeof value === 'string' ? value : '')

const textsIn = (value: Plain | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly Plain[]).map(textIn) : []
