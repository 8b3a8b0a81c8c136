/**
 * When each edge was heard of, and what it said. Kept in memory at every call, on the clock that nobody sets, and written down
 * when something changes or a while has passed, so that a poll every few seconds does not wake the disk.
 *
 * What cannot be written now is only late: the edge keeps its routes, and its next call tries again.
 */
import { type Clock, type Instant, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Edge, type EdgeContact, lostSince } from '../../model/edge.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import { edgeRecords } from './records.ts'

export interface ContactParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
  readonly offline_after_ms: Milliseconds
  /** An edge came that was not there before. */
  readonly cameBack: () => void
}

/** What a call tells of its edge; what it does not name stays. */
export type Heard = Partial<Pick<EdgeContact, 'config_version' | 'served_version'>>

export interface KnownEdge extends Edge {
  /** Null while it is not lost. */
  readonly lost_since: Instant | null
}

interface Mark {
  readonly elapsed: Milliseconds
  readonly seen: Instant
}

const WRITTEN_EVERY_MS: Milliseconds = 60_000

export class EdgeContacts {
  readonly #parts: ContactParts
  readonly #marks = new Map<number, Mark>()
  readonly #began: Milliseconds

  constructor(parts: ContactParts) {
    this.#parts = parts
    this.#began = parts.clock.elapsed()
  }

  /** The edge with what is known of it only here. */
  known(edge: Edge): KnownEdge {
    const { clock, offline_after_ms } = this.#parts
    const mark = this.#marks.get(edge.id)
    const seen = { ...edge, last_seen: mark?.seen ?? edge.last_seen }
    const silence = { silence_ms: clock.elapsed() - this.#heardAt(edge), is_fresh: mark !== undefined }
    return { ...seen, lost_since: lostSince(seen, silence, { now: clock.now(), offline_after_ms }) }
  }

  /** How long until the edge would be silent for too long; 0 where it is. */
  leftMs(edge: Edge): Milliseconds {
    const { clock, offline_after_ms } = this.#parts
    return Math.max(0, this.#heardAt(edge) + offline_after_ms - clock.elapsed())
  }

  /** The edge has called. Never throws. Answers the edge as it is known now. */
  async heard(edge: Edge, heard: Heard): Promise<Edge> {
    const { clock } = this.#parts
    const now = clock.now()
    this.#marks.set(edge.id, { elapsed: clock.elapsed(), seen: now })
    const after: Edge = { ...edge, ...heard, last_seen: now, lost_at: null }
    if (!this.#isWorthWriting(edge, after)) return { ...edge, last_seen: now }
    try {
      const came = await this.#parts.store.write((tx) =>
        write(tx, edge, { ...heard, last_seen: now, lost_at: null }),
      )
      if (!came) return after
      this.#parts.events.added()
      this.#parts.cameBack()
    } catch (error) {
      this.#parts.log.warn('edge contact not written', { edge: edge.name, error })
    }
    return after
  }

  forget(id: number): void {
    this.#marks.delete(id)
  }

  #heardAt({ id }: Edge): Milliseconds {
    return this.#marks.get(id)?.elapsed ?? this.#began
  }

  #isWorthWriting(before: Edge, after: Edge): boolean {
    const { offline_after_ms } = this.#parts
    const age_ms = before.last_seen === null ? Infinity : Math.abs(after.last_seen! - before.last_seen)
    return (
      before.lost_at !== null ||
      before.config_version !== after.config_version ||
      before.served_version !== after.served_version ||
      age_ms >= Math.min(WRITTEN_EVERY_MS, offline_after_ms / 2)
    )
  }
}

/**
 * Writes what was heard, over what stands there by now: another call of the edge may have ended meanwhile. True when that is
 * news: the first sign of life, or the first after a silence.
 */
async function write(
  tx: StoreWriter,
  { id, name }: Edge,
  heard: Heard & Pick<EdgeContact, 'last_seen' | 'lost_at'>,
): Promise<boolean> {
  const before = await tx.of(edgeRecords).edge(id)
  if (before === null) return false
  await tx.of(edgeRecords).saveEdgeContact(id, { ...before, ...heard })
  const first = before.last_seen === null
  if (!first && before.lost_at === null) return false
  const message = first
    ? `The edge ${name} was heard of for the first time.`
    : `The edge ${name} is heard of again; it was lost at ${isoTime(before.lost_at!)}.`
  await tx.addEvent({
    at: heard.last_seen!,
    kind: 'edge_online',
    message,
    facts: { edge_id: id, edge: name },
  })
  return true
}
