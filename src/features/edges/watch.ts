/** Writes an event of each edge that falls silent, and ends tokens whose time is over; people are told by what `checks.ts` finds. */
import { type Clock, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { DueLoop, type LeftUntilDue } from '../../kernel/async/due-loop.ts'
import { type Edge, type EdgeClock, edgeState, silentAt } from '../../model/edge.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { EdgeContacts } from './contacts.ts'
import { edgeRecords } from './records.ts'
import { endPastTokens } from './token.ts'

export interface EdgeWatchParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
  readonly contacts: EdgeContacts
  readonly time: () => EdgeClock
}

export const edgeWatch = (parts: EdgeWatchParts): DueLoop =>
  new DueLoop({ ...parts, what: 'edges', look: () => look(parts) })

/** One look. Resolves with how long nothing can be due. */
async function look({ store, contacts, time, events }: EdgeWatchParts): Promise<LeftUntilDue> {
  const edges = (await store.of(edgeRecords).edges()).map((edge) => contacts.latest(edge))
  const clock = time()
  const lost = edges.filter((edge) => isNewlyLost(edge, clock))
  if (lost.length > 0 && (await store.write((tx) => tell(tx, contacts, clock)))) events.added()
  await endPastTokens(store, clock.now)
  return edges.length === 0 ? null : leftUntilSilent(edges, clock)
}

/** Silent for too long, not told yet, and not taken out by hand. Pure. */
const isNewlyLost = (edge: Edge, clock: EdgeClock): boolean =>
  edge.lost_at === null && edge.desired_state !== 'offline' && edgeState(edge, clock) === 'offline'

/** Pure. */
const leftUntilSilent = (edges: readonly Edge[], clock: EdgeClock): Milliseconds =>
  Math.min(
    ...edges
      .filter(({ lost_at, desired_state }) => lost_at === null && desired_state !== 'offline')
      .flatMap((edge) => silentAt(edge, clock) ?? [])
      .map((due) => due - clock.now + 1),
  )

/** Reads them again: one may have called meanwhile. Whether any is lost. */
async function tell(tx: StoreWriter, contacts: EdgeContacts, clock: EdgeClock): Promise<boolean> {
  const { now } = clock
  const lost = (await tx.of(edgeRecords).edges())
    .map((edge) => contacts.latest(edge))
    .filter((edge) => isNewlyLost(edge, clock))
  for (const edge of lost) {
    await tx.of(edgeRecords).saveEdgeContact(edge.id, { ...edge, lost_at: now })
    const message = `The edge ${edge.name} has not been heard of since ${isoTime(edge.last_seen!)}.`
    await tx.addEvent({
      at: now,
      kind: 'edge_offline',
      message,
      facts: { edge_id: edge.id, edge: edge.name },
    })
  }
  return lost.length > 0
}
