/**
 * When each heartbeat was heard of. Kept in memory at every call, on the clock that nobody sets, and written down when that is
 * news or a while has passed, so that a flood of calls does not wake the disk.
 *
 * What cannot be written now is only late: the next call tries again.
 */
import { type Clock, type Instant, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import { heartbeatRecords } from './records.ts'
import { type Heartbeat, silentSince } from './state.ts'

export interface ContactParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
  readonly silent_after_ms: Milliseconds
  /** One was heard of that had been silent, or never heard of. */
  readonly came: () => void
}

export interface KnownHeartbeat extends Heartbeat {
  /** Null while it is not silent. */
  readonly silent_since: Instant | null
}

interface Mark {
  readonly elapsed: Milliseconds
  /** Null for one that was added and has not called yet. */
  readonly seen: Instant | null
}

const WRITTEN_EVERY_MS: Milliseconds = 60_000

export class HeartbeatContacts {
  readonly #parts: ContactParts
  readonly #marks = new Map<number, Mark>()
  readonly #began: Milliseconds

  constructor(parts: ContactParts) {
    this.#parts = parts
    this.#began = parts.clock.elapsed()
  }

  /** The heartbeat with what is known of it only here. */
  known(row: Heartbeat): KnownHeartbeat {
    const { clock, silent_after_ms } = this.#parts
    const mark = this.#marks.get(row.id)
    const silence_ms = clock.elapsed() - (mark?.elapsed ?? this.#began)
    const contact = { silence_ms, is_fresh: mark !== undefined }
    const silent_since = silentSince(row, contact, { now: clock.now(), silent_after_ms })
    return { ...row, last_seen: mark?.seen ?? row.last_seen, silent_since }
  }

  /** How long until the heartbeat would be silent; 0 where it is. */
  leftMs(row: Heartbeat): Milliseconds {
    const { clock, silent_after_ms } = this.#parts
    const heard = this.#marks.get(row.id)?.elapsed ?? this.#began
    return Math.max(0, heard + silent_after_ms - clock.elapsed())
  }

  /** It was added: its time begins now. */
  added({ id }: Heartbeat): void {
    this.#marks.set(id, { elapsed: this.#parts.clock.elapsed(), seen: null })
  }

  /** It has called. Never throws. Answers it as it is known now. */
  async heard(row: Heartbeat): Promise<KnownHeartbeat> {
    const { clock, store, events, log, came } = this.#parts
    const seen = clock.now()
    this.#marks.set(row.id, { elapsed: clock.elapsed(), seen })
    const after = { ...row, last_seen: seen, silent_at: null, silent_since: null }
    if (!isWorthWriting(row, seen)) return after
    try {
      if (await store.write((tx) => write(tx, after))) {
        events.added()
        came()
      }
    } catch (error) {
      log.warn('heartbeat not written', { heartbeat: row.name, error })
    }
    return after
  }

  forget(id: number): void {
    this.#marks.delete(id)
  }
}

const isWorthWriting = ({ last_seen, silent_at }: Heartbeat, seen: Instant): boolean =>
  silent_at !== null || last_seen === null || Math.abs(seen - last_seen) >= WRITTEN_EVERY_MS

/** Writes what was heard. True when that is news: the first sign of life, or the first after a silence. */
async function write(tx: StoreWriter, { id, name, last_seen }: Heartbeat): Promise<boolean> {
  const before = await tx.of(heartbeatRecords).heartbeat(name)
  if (before === null || before.id !== id) return false
  await tx.of(heartbeatRecords).saveHeartbeatContact(id, { last_seen, silent_at: null })
  const is_first = before.last_seen === null
  if (!is_first && before.silent_at === null) return false
  const message = is_first
    ? `The heartbeat ${name} was heard of for the first time.`
    : `The heartbeat ${name} is heard of again; it was silent since ${isoTime(before.silent_at!)}.`
  await tx.addEvent({ at: last_seen!, kind: 'heartbeat_alive', message, facts: { heartbeat: name } })
  return true
}
