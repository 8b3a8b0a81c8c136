/** Whether the settings of now would render a deployed record otherwise than the newest release did. Only then does a deploy change it. */
import type { Deps } from '../deps.ts'
import { routesIn } from '../proxy/generated.ts'
import type { GeneratedRoute } from '../views.ts'

/** @param rendered what the settings of now make of it as it was deployed */
export async function renderingMoved(
  deps: Deps,
  domains: readonly string[],
  rendered: readonly GeneratedRoute[],
): Promise<boolean> {
  const released = await deps.proxy.released.newest()
  return released === null || textOf(routesIn(released.objects(), domains)) !== textOf(rendered)
}

/** In one order, whoever made them. */
const textOf = (routes: readonly GeneratedRoute[]): string =>
  JSON.stringify(routes.map((route) => JSON.stringify(route)).sort())
