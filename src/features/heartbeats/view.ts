/** A heartbeat as callers see it, with its state of this moment. */
import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import type { KnownHeartbeat } from './contacts.ts'
import type * as views from './views.ts'
import { heartbeatState, unheardWords } from './state.ts'

export type HeartbeatView = z.output<typeof views.HeartbeatView>

export function heartbeatView(known: KnownHeartbeat): HeartbeatView {
  const { name, last_seen, silent_since, created_at } = known
  const state = heartbeatState(known, silent_since)
  return {
    name,
    state,
    reason: state === 'alive' ? `It was heard of at ${isoTime(last_seen!)}.` : `It ${unheardWords(known)}.`,
    last_seen: isoTimeOrNull(last_seen),
    silent_since: isoTimeOrNull(silent_since),
    created_at: isoTime(created_at),
  }
}
