/** Columns of what is kept of edges. They mirror `schema/0008-edges.sql`. */
import type { Generated } from 'kysely'
import type { Edge } from '../../model/edge.ts'
import type { EdgeToken } from '../../ports/records/edges.ts'

export interface EdgeTables {
  edges: Omit<Edge, 'id'> & { readonly id: Generated<number> }
  edge_tokens: EdgeToken
}
