/** The end of a wait, on the clock that the daemon was given: a test that owns the time owns the deadlines, too. */
import type { Clock, Milliseconds } from '../clock.ts'

export interface Deadline {
  /** Aborts with a `TimeoutError` once the time is over. */
  readonly signal: AbortSignal
  /** Nobody waits any more. To be called by whoever made it, or the clock goes on counting. */
  end(): void
}

export function deadlineSignal(clock: Clock, ms: Milliseconds): Deadline {
  const late = new AbortController()
  const over = new AbortController()
  clock.sleep(ms, over.signal).then(
    () => late.abort(new DOMException(`The ${ms} ms are over.`, 'TimeoutError')),
    () => undefined,
  )
  return { signal: late.signal, end: () => over.abort() }
}
