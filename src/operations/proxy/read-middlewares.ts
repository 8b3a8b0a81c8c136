/** The catalogue of middlewares, each with what the proxy says of it. */
import type { ProxyMiddleware, ProxySnapshot } from '../../ports/proxy.ts'
import type { Deps } from '../deps.ts'
import { localName } from './compare-routes.ts'
import type { CatalogueItem } from './desk.ts'

/**
 * loaded: in the proxy, in use, without a fault. error: the proxy finds fault with it, or with a router because of it.
 * unused_not_verified: there, but the proxy builds a middleware only when a router uses it. not_loaded: not there, as what
 * no deployed domain names. unknown: the proxy cannot be seen.
 */
export const LOAD_STATUSES = ['loaded', 'error', 'unused_not_verified', 'not_loaded', 'unknown'] as const
export type LoadStatus = (typeof LOAD_STATUSES)[number]

export interface ListedMiddleware extends CatalogueItem {
  readonly status: LoadStatus
  readonly errors: readonly string[]
  /** Deployed domains that name it. */
  readonly used_by: readonly string[]
}

export async function readMiddlewares(deps: Deps, signal: AbortSignal): Promise<readonly ListedMiddleware[]> {
  const { proxy, store } = deps
  const seen = (await proxy.watch?.look(signal)) ?? null
  const live = (await store.intent('released')).rows.filter((row) => row.live)
  return proxy.catalogue.map((item) => {
    const used_by = live
      .filter(({ fields }) => fields.middleware_config.extra_middlewares.includes(item.name))
      .map(({ fields }) => fields.domain)
    const found =
      seen?.known === true
        ? loadOf(seen.snapshot, proxy.catalogueName(item.name))
        : { status: 'unknown' as const, errors: [] }
    return { ...item, ...found, used_by }
  })
}

/** Pure. @param name without its provider */
export function loadOf(
  { middlewares, routers }: Pick<ProxySnapshot, 'middlewares' | 'routers'>,
  name: string,
): { readonly status: LoadStatus; readonly errors: readonly string[] } {
  const ours = (full: string) => /@(?:file|http)$/.test(full) && localName(full) === name
  const found = middlewares.filter((one) => ours(one.name))
  const users = routers.filter((router) => router.middlewares.some(ours))
  const blamed = users.flatMap(({ errors }) => errors.filter((error) => error.includes(name)))
  const errors = [...new Set([...found.flatMap((one) => one.errors), ...blamed])]
  if (errors.length > 0 || found.some(isFaulty)) return { status: 'error', errors }
  if (found.length === 0) return { status: 'not_loaded', errors }
  return { status: users.length === 0 ? 'unused_not_verified' : 'loaded', errors }
}

const isFaulty = ({ status }: ProxyMiddleware): boolean => status !== 'enabled'
