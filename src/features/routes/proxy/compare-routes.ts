/** What the proxy runs for a record against what its part of the routes file says. Pure. */
import type { ProxyRouter, ProxyService } from '../traefik/port.ts'
import type { RouterIndex } from '../loaded/watch.ts'
import type { GeneratedRoute, RouteDifference } from '../views.ts'

export interface RuntimeRoute {
  readonly router: ProxyRouter
  /** Null where the proxy does not have it, or where it is one of its own. */
  readonly service: ProxyService | null
}

/** Providers that read what we write: the file itself, or the same over HTTP. */
const PROVIDERS = ['file', 'http']

/** What the proxy runs under these names. */
export function runtimeRoutes(index: RouterIndex, names: readonly string[]): readonly RuntimeRoute[] {
  return names.flatMap((name) =>
    PROVIDERS.flatMap((provider) =>
      (['http', 'tcp'] as const).flatMap((kind) => {
        const router = index.routers.get(`${kind} ${name}@${provider}`)
        return router === undefined
          ? []
          : [{ router, service: index.services.get(`${kind} ${router.service}`) ?? null }]
      }),
    ),
  )
}

export function routeDifferences(
  expected: readonly GeneratedRoute[],
  found: readonly RuntimeRoute[],
): readonly RouteDifference[] {
  const running = new Map(found.map((route) => [localName(route.router.name), route]))
  const wanted = new Set(expected.map(({ router }) => router))
  const missing = expected.filter(({ router }) => !running.has(router))
  return [
    ...missing.map(({ router, rule }) => ({ item: router, expected: rule, found: null })),
    ...expected.flatMap((route) => {
      const route_found = running.get(route.router)
      return route_found === undefined ? [] : partDifferences(route, route_found)
    }),
    ...found
      .filter(({ router }) => !wanted.has(localName(router.name)))
      .map(({ router }) => ({ item: localName(router.name), expected: null, found: router.rule })),
  ]
}

function partDifferences(route: GeneratedRoute, found: RuntimeRoute): readonly RouteDifference[] {
  return partsOf(route, found)
    .filter(([, expected, there]) => expected !== there)
    .map(([part, expected, there]) => ({ item: `${route.router} ${part}`, expected, found: there }))
}

type Part = readonly [name: string, expected: string, found: string]

function partsOf(route: GeneratedRoute, { router, service }: RuntimeRoute): readonly Part[] {
  const full = (name: string) => (name.includes('@') ? name : `${name}@${router.provider}`)
  const servers: Part = ['servers', route.addresses.join(', '), (service?.addresses ?? []).join(', ')]
  return [
    ['rule', route.rule, router.rule],
    ['entrypoints', route.entrypoints.toSorted().join(', '), router.entrypoints.toSorted().join(', ')],
    ['middlewares', route.middlewares.map(full).join(', '), router.middlewares.join(', ')],
    ['tls', yesNo(route.tls), yesNo(router.tls)],
    ['cert_resolver', route.cert_resolver ?? '', router.cert_resolver ?? ''],
    ['priority', String(route.priority ?? ''), String(router.priority ?? '')],
    ['service', full(route.service), router.service],
    // A service of the proxy's own, such as noop@internal, has no servers to compare.
    ...(route.addresses.length === 0 ? [] : [servers]),
  ]
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no')

/** Without its provider. */
export const localName = (name: string): string => name.replace(/@[^@]*$/, '')
