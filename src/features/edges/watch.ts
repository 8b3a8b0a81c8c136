/**
 * Writes an event of each edge that falls silent; people are told by what `checks.ts` finds. Looks again when the next one could be due, and by wall-clock time in short steps, so
 * that sleep and a clock that is set skip nothing. Without edges it does not wake at all.
 */
import { type Clock, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Loop } from '../../kernel/async/loop.ts'
import { type Edge, type EdgeClock, edgeState, silentAt } from '../../model/edge.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { EdgeContacts } from './contacts.ts'
import { edgeRecords } from './records.ts'

export interface EdgeWatchParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
  readonly contacts: EdgeContacts
  readonly time: () => EdgeClock
}

const MIN_MS: Milliseconds = 1000
const MAX_MS: Milliseconds = 30_000
const NOTHING_TO_WATCH_MS: Milliseconds = 24 * 3_600_000

export class EdgeWatch {
  readonly #parts: EdgeWatchParts
  readonly #loop: Loop

  constructor(parts: EdgeWatchParts) {
    const { clock, log } = parts
    this.#parts = parts
    this.#loop = new Loop({
      clock,
      round: () => this.look(),
      failed: (error) => log.warn('edges not watched', { error }),
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** There are other edges than before. */
  changed(): void {
    this.#loop.wake()
  }

  /** One look. Resolves with how long nothing can be due. */
  async look(): Promise<Milliseconds> {
    const { store, contacts, time, events } = this.#parts
    const edges = (await store.of(edgeRecords).edges()).map((edge) => contacts.latest(edge))
    const clock = time()
    const lost = edges.filter((edge) => isNewlyLost(edge, clock))
    if (lost.length > 0) {
      await store.write((tx) => tell(tx, lost, clock))
      events.added()
    }
    return nextLook(edges, clock)
  }
}

/** Silent for too long, not told yet, and not taken out by hand. Pure. */
const isNewlyLost = (edge: Edge, clock: EdgeClock): boolean =>
  edge.lost_at === null && edge.desired_state !== 'offline' && edgeState(edge, clock) === 'offline'

/** Pure. */
function nextLook(edges: readonly Edge[], clock: EdgeClock): Milliseconds {
  const due = edges
    .filter(({ lost_at, desired_state }) => lost_at === null && desired_state !== 'offline')
    .flatMap((edge) => silentAt(edge, clock) ?? [])
  if (due.length === 0) return edges.length === 0 ? NOTHING_TO_WATCH_MS : MAX_MS
  return Math.min(MAX_MS, Math.max(MIN_MS, Math.min(...due) - clock.now + 1))
}

async function tell(tx: StoreWriter, lost: readonly Edge[], { now }: EdgeClock): Promise<void> {
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
}
