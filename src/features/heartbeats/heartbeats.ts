/** Heartbeats as one thing with parts: who was heard of, and the watch over their silence. */
import type { Core } from '../../core/core.ts'
import type { Milliseconds } from '../../kernel/clock.ts'
import { HeartbeatContacts } from './contacts.ts'
import type { DueLoop } from '../../kernel/async/due-loop.ts'
import { heartbeatWatch } from './watch.ts'

export interface Heartbeats extends Pick<Core, 'store' | 'clock' | 'wrong_keys' | 'commit' | 'baseUrl'> {
  readonly contacts: HeartbeatContacts
  readonly watch: DueLoop
}

export function heartbeatsOf(
  { store, clock, log, events, wrong_keys, commit, baseUrl }: Omit<Core, 'engine' | 'stamp'>,
  silent_after_ms: Milliseconds,
): Heartbeats {
  const contacts = new HeartbeatContacts({
    store,
    events,
    clock,
    log,
    silent_after_ms,
    came: () => watch.changed(),
  })
  const watch: DueLoop = heartbeatWatch({ store, events, clock, log, contacts })
  return { store, clock, wrong_keys, commit, baseUrl, contacts, watch }
}
