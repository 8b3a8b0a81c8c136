/**
 * Writes down, with an event, each heartbeat that falls silent, so that a restart does not take its silence for over; people
 * are told by what `checks.ts` finds. Looks again when the next one could be due. Without heartbeats it does not wake at all.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import type { Store, StoreWriter } from '../../../ports/store.ts'
import type { EventLog } from '../../../core/events/event-log.ts'
import { heartbeatRecords } from '../records.ts'
import type { HeartbeatContacts } from './contacts.ts'
import { unheardWords } from './state.ts'

export interface HeartbeatWatchParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
  readonly contacts: HeartbeatContacts
}

const MIN_MS: Milliseconds = 1000
const MAX_MS: Milliseconds = 30_000
const NOTHING_TO_WATCH_MS: Milliseconds = 24 * 3_600_000

export class HeartbeatWatch {
  readonly #parts: HeartbeatWatchParts
  readonly #loop: Loop

  constructor(parts: HeartbeatWatchParts) {
    const { clock, log } = parts
    this.#parts = parts
    this.#loop = new Loop({
      clock,
      round: () => this.look(),
      failed: (error) => log.warn('heartbeats not watched', { error }),
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** There are others than before, or one has come back. */
  changed(): void {
    this.#loop.wake()
  }

  /** One look. Resolves with how long nothing can be due. */
  async look(): Promise<Milliseconds> {
    const { store, contacts, events } = this.#parts
    const rows = await store.of(heartbeatRecords).heartbeats()
    const isNewlySilent = (row: (typeof rows)[number]) =>
      row.silent_at === null && contacts.known(row).silent_since !== null
    if (rows.some(isNewlySilent)) {
      await store.write((tx) => this.#record(tx))
      events.added()
    }
    if (rows.length === 0) return NOTHING_TO_WATCH_MS
    const due = rows.filter(({ silent_at }) => silent_at === null).map((row) => contacts.leftMs(row))
    return Math.min(MAX_MS, Math.max(MIN_MS, Math.min(...due, MAX_MS)))
  }

  /** Reads them again: one may have called meanwhile. */
  async #record(tx: StoreWriter): Promise<void> {
    const { contacts, clock } = this.#parts
    for (const row of await tx.of(heartbeatRecords).heartbeats()) {
      const known = contacts.known(row)
      if (row.silent_at !== null || known.silent_since === null) continue
      const { id, name, last_seen, silent_since } = known
      await tx.of(heartbeatRecords).saveHeartbeatContact(id, { last_seen, silent_at: silent_since })
      await tx.addEvent({
        at: clock.now(),
        kind: 'heartbeat_silent',
        message: `The heartbeat ${name} ${unheardWords(known)}.`,
        facts: { heartbeat: name },
      })
    }
  }
}
