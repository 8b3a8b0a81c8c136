/**
 * What one look at a domain says: its backend, and what the proxy answered for it since the look before. Pure.
 *
 *   backend is not there                     bad
 *   backend is there, or was not looked at
 *     the proxy answered                     ok
 *     the proxy was asked, and did not       unknown
 *     nobody asked the proxy                 ok where the backend is there, else unknown
 */
import type { Instant } from '../../kernel/clock.ts'
import type { LookState } from './buckets.ts'

/** Of a backend: why it is not reached where that is so. Null reachability: it was not tried. */
export interface BackendSeen {
  readonly reachable: boolean | null
  readonly failure: string | null
}

/** What the proxy answered last. */
export interface ProxySeen {
  readonly at: Instant
  readonly answered: boolean
  /** What was seen instead, where it did not. */
  readonly said: string | null
}

export interface Look {
  readonly at: Instant
  readonly state: LookState
  /** A sentence. */
  readonly message: string
  readonly backend_reachable: boolean | null
}

export function lookOf(at: Instant, backend: BackendSeen, proxy: ProxySeen | null): Look {
  const { reachable, failure } = backend
  const base = { at, backend_reachable: reachable }
  if (reachable === false)
    return { ...base, state: 'bad', message: `Its backend does not answer: ${words(failure)}.` }
  if (proxy?.answered === true) return { ...base, state: 'ok', message: 'The proxy answers for it.' }
  if (proxy !== null)
    return { ...base, state: 'unknown', message: `The proxy did not answer: ${proxy.said ?? 'no answer'}.` }
  if (reachable === true) return { ...base, state: 'ok', message: 'Its backend takes connections.' }
  return { ...base, state: 'unknown', message: `Nobody could look: ${words(failure)}.` }
}

const words = (failure: string | null): string => (failure ?? 'not tried').replaceAll('_', ' ')

/** The newest of what was seen after a time, else null. */
export function newestSince(
  seen: readonly (ProxySeen | null | undefined)[],
  since: Instant,
): ProxySeen | null {
  const fresh = seen.filter((one) => one !== null && one !== undefined).filter(({ at }) => at > since)
  return fresh.toSorted((a, b) => b.at - a.at)[0] ?? null
}
