/** Edges: public ingress nodes that fetch the released routes, and are missed when they fall silent. */
import type { Settings } from '../../config/sections.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { EdgeSights } from '../notifications/desk.ts'
import type { ReleasedRoutes } from '../routes/target/released.ts'
import { edgesCheck } from './checks.ts'
import { edgesOf } from './edges.ts'
import { edgeEndpoints } from './endpoints.ts'

export interface EdgesFeature extends Feature {
  /** When edges were heard of, for whoever tells that one is lost. */
  readonly sights: EdgeSights
}

export function edgesFeature(
  settings: Settings['edges'],
  core: Core,
  released: ReleasedRoutes,
): EdgesFeature {
  const edges = edgesOf({ ...core, offline_after_ms: settings.offline_after_s * 1000, released })
  return {
    name: 'edges',
    endpoints: edgeEndpoints(edges),
    checks: [edgesCheck(edges)],
    lifecycles: [edges.watch],
    sights: edges,
  }
}
