/** Edges: public ingress nodes that fetch the released routes, and are missed when they fall silent. */
import type { Settings } from '../../config/sections.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import type { ReleasedRoutes } from '../routes/target/released.ts'
import { edgeFindings, edgesCheck } from './checks.ts'
import { edgesOf } from './edges.ts'
import { edgeEndpoints } from './endpoints.ts'

export function edgesFeature(settings: Settings['edges'], core: Core, released: ReleasedRoutes): Feature {
  const edges = edgesOf({ ...core, offline_after_ms: settings.offline_after_s * 1000, released })
  return {
    name: 'edges',
    endpoints: edgeEndpoints(edges),
    checks: [edgesCheck(edges)],
    findings: edgeFindings(edges),
    lifecycles: [edges.watch],
  }
}
