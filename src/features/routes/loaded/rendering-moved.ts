/** Whether the settings of now would render a deployed record otherwise than the newest release did. Only then does a deploy change it. */
import type { Deps } from '../deps.ts'
import { type GeneratedRoute, routesIn } from '../proxy/generated.ts'
import { type ReleasedObjects, releasedObjects } from '../proxy/shadow/released-objects.ts'

/** @param rendered what the settings of now make of it as it was deployed */
export async function renderingMoved(
  deps: Deps,
  domains: readonly string[],
  rendered: readonly GeneratedRoute[],
): Promise<boolean> {
  const objects = await releasedObjects(deps)
  if (objects === null) return true
  const names = domains.flatMap((domain) => deps.proxy.routerNames(domain))
  return textOf(releasedRoutes(objects, names)) !== textOf(rendered)
}

/** In one order, whoever made them. */
const textOf = (routes: readonly GeneratedRoute[]): string =>
  JSON.stringify(routes.map((route) => JSON.stringify(route)).sort())

function releasedRoutes(objects: ReleasedObjects, names: readonly string[]): readonly GeneratedRoute[] {
  return (['http', 'tcp'] as const).flatMap((kind) =>
    names.flatMap((name) => {
      const router = objects.get(`${kind}.routers.${name}`)?.content
      if (router === undefined) return []
      const { service } = router as { readonly service?: unknown }
      const at = typeof service === 'string' ? service : ''
      const services = { [at]: objects.get(`${kind}.services.${at}`)?.content }
      return routesIn({ [kind]: { routers: { [name]: router }, services } })
    }),
  )
}
