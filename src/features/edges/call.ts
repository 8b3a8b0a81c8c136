/** What edges themselves call: the routes that they are to serve, and a sign of life. */
import { fieldError, invalid } from '../../kernel/failure.ts'
import { isConfigVersion } from '../../model/edge.ts'
import type { PresentedToken } from '../../http/access/token-holder.ts'
import { authenticateEdge } from './authenticate.ts'
import type { Edges } from './edges.ts'
import type { ServedRoutes } from './routes.ts'
import { type EdgeView, edgeView } from './view.ts'

/** An edge that fetches is alive; somebody who looks with the API key is not the edge. Throws what its parts throw. */
export async function serveRoutes(
  edges: Edges,
  id: number,
  presented: PresentedToken,
): Promise<ServedRoutes> {
  const { edge, is_edge } = await authenticateEdge(edges, id, presented)
  const routes = await edges.routes.current()
  if (is_edge) {
    const served_version = routes.version
    // What it said that it runs was said of other routes.
    const is_other = served_version !== edge.served_version
    await edges.contacts.heard(edge, { served_version, ...(is_other && { config_version: null }) })
  }
  return routes
}

/** @param config_version what the edge says that it runs; null when it does not say */
export async function takeHeartbeat(
  edges: Edges,
  { id, config_version }: { readonly id: number; readonly config_version: string | null },
  presented: PresentedToken,
): Promise<EdgeView> {
  const { edge } = await authenticateEdge(edges, id, presented)
  if (config_version !== null && !isConfigVersion(config_version))
    throw invalid([
      fieldError(
        ['body', 'config_version'],
        'must be 1 to 128 visible ASCII characters without quotes',
        'version',
      ),
    ])
  const known = await edges.contacts.heard(edge, config_version === null ? {} : { config_version })
  return edgeView(edges, known, await edges.routes.version())
}
