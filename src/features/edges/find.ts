/** Finding one edge, or the failure that says it is not there. */
import { Failure } from '../../kernel/failure.ts'
import type { Edge } from '../../model/edge.ts'
import type { StoreReader } from '../../ports/store.ts'
import type { Caller } from '../../core/caller.ts'
import { edgeRecords } from './records.ts'

export async function findEdge(reader: StoreReader, id: number): Promise<Edge> {
  const edge = await reader.of(edgeRecords).edge(id)
  if (edge === null) throw new Failure('not_found', `There is no edge with id ${id}.`)
  return edge
}

/** The edge, when it still has the revision that the caller has seen. */
export async function findUnchangedEdge(reader: StoreReader, id: number, caller: Caller): Promise<Edge> {
  const edge = await findEdge(reader, id)
  if (caller.if_match !== null && caller.if_match !== edge.revision)
    throw new Failure(
      'revision_mismatch',
      `The edge ${edge.name} is at revision ${edge.revision}, not ${caller.if_match}. Read it again, then repeat the change.`,
      { facts: { revision: edge.revision } },
    )
  return edge
}
