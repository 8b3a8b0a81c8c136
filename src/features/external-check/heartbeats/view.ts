/** A heartbeat as callers see it, with its state of this moment. */
import { isoTime } from '../../../kernel/clock.ts'
import type { KnownHeartbeat } from './contacts.ts'
import { heartbeatState, type HeartbeatState, unheardWords } from './state.ts'

export interface HeartbeatView {
  readonly name: string
  readonly state: HeartbeatState
  readonly reason: string
  /** Times are RFC 3339. */
  readonly last_seen: string | null
  readonly silent_since: string | null
  readonly created_at: string
}

export function heartbeatView(known: KnownHeartbeat): HeartbeatView {
  const { name, last_seen, silent_since, created_at } = known
  const state = heartbeatState(known, silent_since)
  return {
    name,
    state,
    reason: state === 'alive' ? `It was heard of at ${isoTime(last_seen!)}.` : `It ${unheardWords(known)}.`,
    last_seen: last_seen === null ? null : isoTime(last_seen),
    silent_since: silent_since === null ? null : isoTime(silent_since),
    created_at: isoTime(created_at),
  }
}
