/** Writes an event of each edge that falls silent, and ends tokens whose time is over; people are told by what `checks.ts` finds. */
import { type Clock, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { DueLoop, type LeftUntilDue } from '../../kernel/async/due-loop.ts'
import type { Edge } from '../../model/edge.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { EdgeContacts, KnownEdge } from './contacts.ts'
import { edgeRecords, edgeTokens } from './records.ts'
import { endPastTokens } from '../../store/token-rows.ts'

export interface EdgeWatchParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
  readonly contacts: EdgeContacts
}

export const edgeWatch = (parts: EdgeWatchParts): DueLoop =>
  new DueLoop({ ...parts, what: 'edges', look: () => look(parts) })

/** One look. Resolves with how long nothing can be due. */
async function look(parts: EdgeWatchParts): Promise<LeftUntilDue> {
  const { store, contacts, events, clock } = parts
  const edges = await store.of(edgeRecords).edges()
  const is_any_lost = edges.some((edge) => isNewlyLost(contacts.known(edge)))
  if (is_any_lost && (await store.write((tx) => tell(tx, parts)))) events.added()
  await endPastTokens(store, edgeTokens, clock.now())
  return edges.length === 0 ? null : leftUntilSilent(edges, contacts)
}

/** Silent for too long, not told yet, and not taken out by hand. Pure. */
const isNewlyLost = ({ lost_at, lost_since, desired_state }: KnownEdge): boolean =>
  lost_at === null && lost_since !== null && desired_state !== 'offline'

const leftUntilSilent = (edges: readonly Edge[], contacts: EdgeContacts): Milliseconds =>
  Math.min(
    ...edges
      .filter(
        ({ last_seen, lost_at, desired_state }) =>
          last_seen !== null && lost_at === null && desired_state !== 'offline',
      )
      .map((edge) => contacts.leftMs(edge)),
  )

/** Reads them again: one may have called meanwhile. Whether any is lost. */
async function tell(tx: StoreWriter, { contacts, clock }: EdgeWatchParts): Promise<boolean> {
  const lost = (await tx.of(edgeRecords).edges())
    .map((edge) => contacts.known(edge))
    .filter((edge) => isNewlyLost(edge))
  for (const edge of lost) {
    await tx.of(edgeRecords).saveEdgeContact(edge.id, { ...edge, lost_at: edge.lost_since })
    const message = `The edge ${edge.name} has not been heard of since ${isoTime(edge.last_seen!)}.`
    await tx.addEvent({
      at: clock.now(),
      kind: 'edge_offline',
      message,
      facts: { edge_id: edge.id, edge: edge.name },
    })
  }
  return lost.length > 0
}
