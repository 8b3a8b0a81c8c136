/**
 * Writes down, with an event, each heartbeat that falls silent, so that a restart does not take its silence for over; people
 * are told by what `checks.ts` finds. Ends tokens whose time is over.
 */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { DueLoop, type LeftUntilDue } from '../../kernel/async/due-loop.ts'
import type { Store, StoreWriter } from '../../ports/store.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import { heartbeatRecords, heartbeatTokens } from './records.ts'
import type { HeartbeatContacts } from './contacts.ts'
import { unheardWords } from './state.ts'
import { endPastTokens } from '../../store/token-rows.ts'

export interface HeartbeatWatchParts {
  readonly store: Store
  readonly events: Pick<EventLog, 'added'>
  readonly clock: Clock
  readonly log: Log
  readonly contacts: HeartbeatContacts
}

export const heartbeatWatch = (parts: HeartbeatWatchParts): DueLoop =>
  new DueLoop({ ...parts, what: 'heartbeats', look: () => look(parts) })

/** One look. Resolves with how long nothing can be due. */
async function look(parts: HeartbeatWatchParts): Promise<LeftUntilDue> {
  const { store, contacts, events, clock } = parts
  const rows = await store.of(heartbeatRecords).heartbeats()
  const isNewlySilent = (row: (typeof rows)[number]) =>
    row.silent_at === null && contacts.known(row).silent_since !== null
  if (rows.some(isNewlySilent)) {
    await store.write((tx) => record(tx, parts))
    events.added()
  }
  await endPastTokens(store, heartbeatTokens, clock.now())
  if (rows.length === 0) return null
  return Math.min(...rows.filter(({ silent_at }) => silent_at === null).map((row) => contacts.leftMs(row)))
}

/** Reads them again: one may have called meanwhile. */
async function record(tx: StoreWriter, { contacts, clock }: HeartbeatWatchParts): Promise<void> {
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
