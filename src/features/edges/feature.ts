/** Edges: public ingress nodes that fetch the released routes, and are missed when they fall silent. */
import type { Settings } from '../../config/sections.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../feature/feature.ts'
import { edgeFindings, edgesCheck } from './checks.ts'
import { type EdgesOptions, edgesOf } from './edges.ts'
import { edgeEndpoints } from './endpoints.ts'

export function edgesFeature(
  settings: Settings['edges'],
  core: Core,
  routes: Pick<EdgesOptions, 'released' | 'servable'>,
): Feature {
  const edges = edgesOf({ ...core, offline_after_ms: settings.offline_after_s * 1000, ...routes })
  return {
    name: 'edges',
    endpoints: edgeEndpoints(edges),
    checks: [edgesCheck(edges)],
    findings: edgeFindings(edges),
    lifecycles: [edges.watch],
  }
}
