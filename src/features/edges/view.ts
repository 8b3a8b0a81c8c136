/** An edge as callers see it: with its state of this moment and whether it runs what was released. */
import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { type Edge, edgeReason, edgeState } from '../../model/edge.ts'
import type { Edges } from './edges.ts'
import type * as views from './views.ts'

export type EdgeView = z.output<typeof views.EdgeView>

/** @param current_version of the released routes; null where there are none */
export function edgeView(edges: Edges, edge: Edge, current_version: string | null): EdgeView {
  const known = edges.contacts.known(edge)
  const { id, name, hostname, address, region, desired_state, revision } = known
  const { last_seen, config_version, served_version, lost_since } = known
  const runs = config_version ?? served_version
  return {
    id,
    name,
    hostname,
    address,
    region,
    state: edgeState(known, lost_since),
    desired_state,
    reason: edgeReason(known, lost_since),
    last_seen: isoTimeOrNull(last_seen),
    config_version,
    served_version,
    current_version,
    up_to_date: runs === null || current_version === null ? null : runs === current_version,
    revision,
    created_at: isoTime(known.created_at),
    updated_at: isoTime(known.updated_at),
  }
}
