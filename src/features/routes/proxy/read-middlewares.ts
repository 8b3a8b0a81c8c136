/** The catalogue of middlewares, each with what the proxy says of it. */
import type { ProxyMiddleware, ProxySnapshot } from '../traefik/port.ts'
import type { Deps } from '../deps.ts'
import { localName } from './compare-routes.ts'
import type { CatalogueItem } from './service.ts'
import type { LOAD_STATUSES } from '../views.ts'
export type LoadStatus = (typeof LOAD_STATUSES)[number]

export interface ListedMiddleware extends CatalogueItem {
  readonly status: LoadStatus
  readonly errors: readonly string[]
  /** What the status means here and what would help; null for `loaded`, and for `error`, where `errors` says it. */
  readonly detail: string | null
  /** Deployed domains that name it. */
  readonly used_by: readonly string[]
}

export async function readMiddlewares(deps: Deps, signal: AbortSignal): Promise<readonly ListedMiddleware[]> {
  const { proxy, store } = deps
  const seen = (await proxy.watch?.look(signal)) ?? null
  const loadOf = seen?.known === true ? loadsIn(seen.snapshot) : () => UNKNOWN
  const unseen = seen?.known === false ? seen.detail : NOT_SET
  const live = (await store.intent('released')).rows.filter((row) => row.live)
  return proxy.catalogue.map((item) => {
    const used_by = live
      .filter(({ fields }) => fields.middleware_config.extra_middlewares.includes(item.name))
      .map(({ fields }) => fields.domain)
    const load = loadOf(proxy.catalogueName(item.name))
    return { ...item, ...load, detail: detailOf(load, used_by, unseen), used_by }
  })
}

const NOT_SET = 'The proxy is not asked: PLUMBLINE_TRAEFIK_API is not set.'

/** Pure. */
function detailOf({ status }: Load, used_by: readonly string[], unseen: string): string | null {
  if (status === 'unknown') return unseen
  if (status === 'unused_not_verified')
    return 'The proxy has it and no router uses it, so it was never built: a fault in it would not show yet.'
  if (status !== 'not_loaded') return null
  const [first] = used_by
  return first === undefined
    ? 'No deployed domain names it, so it is not in the routes file.'
    : `${first} names it, and the proxy does not have it: it does not run the newest routes file. See /api/deploy/status.`
}

export interface Load {
  readonly status: LoadStatus
  readonly errors: readonly string[]
}

/** Pure: what the proxy says of a middleware, by its name without the provider. Goes over the routers once for all names. */
export function loadsIn({
  middlewares,
  routers,
}: Pick<ProxySnapshot, 'middlewares' | 'routers'>): (name: string) => Load {
  const users = usersOf(routers)
  return (name) => {
    const found = middlewares.filter((one) => isOurs(one.name) && localName(one.name) === name)
    const using = [...users].filter(([full]) => isOurs(full) && localName(full) === name)
    const blamed = using.flatMap(([, errors]) => errors.filter((error) => error.includes(name)))
    const errors = [...new Set([...found.flatMap((one) => one.errors), ...blamed])]
    if (errors.length > 0 || found.some(isFaulty)) return { status: 'error', errors }
    if (found.length === 0) return { status: 'not_loaded', errors }
    return { status: using.length === 0 ? 'unused_not_verified' : 'loaded', errors }
  }
}

const isOurs = (full: string): boolean => /@(?:file|http)$/.test(full)

/** The errors of the routers that use it, by full name of the middleware. */
function usersOf(routers: ProxySnapshot['routers']): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>()
  for (const router of routers)
    for (const full of router.middlewares) {
      const known = users.get(full)
      if (known === undefined) users.set(full, [...router.errors])
      else known.push(...router.errors)
    }
  return users
}

const UNKNOWN: Load = { status: 'unknown', errors: [] }

const isFaulty = ({ status }: ProxyMiddleware): boolean => status !== 'enabled'
