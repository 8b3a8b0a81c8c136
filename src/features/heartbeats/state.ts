/**
 * A heartbeat: a watcher elsewhere that calls in at intervals. What it is follows from when it was heard of; nobody writes
 * the state.
 *
 * | heard of       | within the time | silent for longer |
 * |----------------|-----------------|-------------------|
 * | never          | pending         | silent            |
 * | once or often  | alive           | silent            |
 */
import { type Instant, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { fieldError, type FieldError } from '../../kernel/failure.ts'
import { formOf } from '../../model/text/form.ts'

export const HEARTBEAT_STATES = ['pending', 'alive', 'silent'] as const
export type HeartbeatState = (typeof HEARTBEAT_STATES)[number]

export interface Heartbeat {
  readonly id: number
  readonly name: string
  readonly created_at: Instant
  readonly last_seen: Instant | null
  /** Since when it counts as silent; null while it does not. */
  readonly silent_at: Instant | null
}

/** What this process knows of one beside its row. */
export interface Contact {
  /** How long it is silent, by the clock that nobody sets; our own absence is no silence of theirs. */
  readonly silence_ms: Milliseconds
  /** It was heard of, or added, while this process ran: then the row's `silent_at` is of an earlier time. */
  readonly is_fresh: boolean
}

/** Since when the heartbeat is silent, null while it is not. Pure. */
export function silentSince(
  { silent_at }: Pick<Heartbeat, 'silent_at'>,
  { silence_ms, is_fresh }: Contact,
  { now, silent_after_ms }: { readonly now: Instant; readonly silent_after_ms: Milliseconds },
): Instant | null {
  if (silence_ms > silent_after_ms) return silent_at ?? now - Math.round(silence_ms - silent_after_ms)
  return is_fresh ? null : silent_at
}

export const heartbeatState = (
  { last_seen }: Pick<Heartbeat, 'last_seen'>,
  silent_since: Instant | null,
): HeartbeatState => (silent_since !== null ? 'silent' : last_seen === null ? 'pending' : 'alive')

/** Since when nothing was heard, as the end of a sentence that stays the same while nothing changes. */
export const unheardWords = ({
  last_seen,
  created_at,
}: Pick<Heartbeat, 'last_seen' | 'created_at'>): string =>
  last_seen === null
    ? `has never been heard of; it was added at ${isoTime(created_at)}`
    : `has not been heard of since ${isoTime(last_seen)}`

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export const HEARTBEAT_NAME = formOf(NAME)

export const heartbeatFaults = ({ name }: { readonly name: string }): readonly FieldError[] =>
  NAME.test(name)
    ? []
    : [
        fieldError(
          ['body', 'name'],
          'must be 1 to 63 lower-case letters, digits and inner hyphens',
          'heartbeat_name',
        ),
      ]
