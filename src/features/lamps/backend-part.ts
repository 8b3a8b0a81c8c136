/** What the regular look at a backend says of its domain. Pure. */
import type { Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Look } from '../history/look.ts'
import type { LampPart } from './part.ts'

export interface BackendLooks {
  readonly last: Look | null
  /** Null where backends are not looked at. */
  readonly every_ms: Milliseconds | null
}

/** A look that is due is late only on a busy machine; after so many nobody knows any more. */
const MISSED_LOOKS = 3

/** Null where nobody looks, nobody has looked yet, or the backend may not be tried: then it says nothing. */
export function backendPart({ last, every_ms }: BackendLooks, now: Instant): LampPart | null {
  if (every_ms === null || last === null || last.backend_reachable === null) return null
  const base = { source: 'backend', seen_at: last.at }
  if (now - last.at > MISSED_LOOKS * every_ms)
    return { ...base, state: 'unknown', cause: 'stale', message: 'Its backend was not looked at for long.' }
  return last.backend_reachable
    ? { ...base, state: 'true', cause: null, message: 'Its backend takes connections.' }
    : { ...base, state: 'wrong', cause: 'backend_silent', message: last.message }
}
