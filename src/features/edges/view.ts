/** An edge as callers see it: with its state of this moment and whether it runs what was released. */
import { isoTime } from '../../kernel/clock.ts'
import { type Edge, type EdgeFields, edgeReason, type EdgeState, edgeState } from '../../model/edge.ts'
import type { DesiredEdgeState } from '../../model/edge.ts'
import type { Edges } from './edges.ts'

export interface EdgeView extends EdgeFields {
  readonly id: number
  readonly state: EdgeState
  readonly desired_state: DesiredEdgeState
  readonly reason: string
  /** Times are RFC 3339. */
  readonly last_seen: string | null
  readonly config_version: string | null
  readonly served_version: string | null
  readonly current_version: string | null
  /** Null while that is not known. */
  readonly up_to_date: boolean | null
  readonly revision: number
  readonly created_at: string
  readonly updated_at: string
}

/** @param current_version of the released routes; null where there are none */
export function edgeView(edges: Edges, edge: Edge, current_version: string | null): EdgeView {
  const known = edges.contacts.latest(edge)
  const clock = edges.time()
  const { id, name, hostname, address, region, desired_state, revision } = known
  const { last_seen, config_version, served_version } = known
  const runs = config_version ?? served_version
  return {
    id,
    name,
    hostname,
    address,
    region,
    state: edgeState(known, clock),
    desired_state,
    reason: edgeReason(known, clock),
    last_seen: last_seen === null ? null : isoTime(last_seen),
    config_version,
    served_version,
    current_version,
    up_to_date: runs === null || current_version === null ? null : runs === current_version,
    revision,
    created_at: isoTime(known.created_at),
    updated_at: isoTime(known.updated_at),
  }
}
