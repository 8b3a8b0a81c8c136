/** The edges that there are. */
import type { EdgeState } from '../../model/edge.ts'
import type { Edges } from './edges.ts'
import { findEdge } from './find.ts'
import { type EdgeView, edgeView } from './view.ts'
import { edgeRecords } from './records.ts'

/** By name. @param state only those that are in it now; null for all */
export async function listEdges(edges: Edges, state: EdgeState | null): Promise<readonly EdgeView[]> {
  const version = await edges.routes.version()
  const views = (await edges.store.of(edgeRecords).edges()).map((edge) => edgeView(edges, edge, version))
  return state === null ? views : views.filter((view) => view.state === state)
}

/** Throws `not_found`. */
export async function readEdge(edges: Edges, id: number): Promise<EdgeView> {
  return edgeView(edges, await findEdge(edges.store, id), await edges.routes.version())
}
