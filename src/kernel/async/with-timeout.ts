/** Work with an end, on the clock that the daemon was given: a test that owns the time owns the deadlines, too. */
import type { Clock, Milliseconds } from '../clock.ts'
import { deadlineSignal } from './deadline.ts'
import { untilAborted } from './until-aborted.ts'

export interface Bound {
  readonly clock: Clock
  readonly ms: Milliseconds
  /** Ends the wait before its time. */
  readonly signal?: AbortSignal
}

/**
 * Settles as the work does, or with `late()` once the time is over; rejects with the signal's reason as soon as it aborts.
 * The work's own signal aborts with both. Work that does not heed it goes on, and nobody hears of it any more.
 * @param late what stands in for the answer; what it throws is thrown
 */
export async function withTimeout<T, Late = T>(
  { clock, ms, signal }: Bound,
  work: (signal: AbortSignal) => Promise<T>,
  late: () => Late,
): Promise<T | Late> {
  signal?.throwIfAborted()
  const deadline = deadlineSignal(clock, ms)
  const ends = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
  try {
    return await untilAborted(work(ends), ends)
  } catch (error) {
    if (signal?.aborted === true || !deadline.signal.aborted) throw error
    return late()
  } finally {
    deadline.end()
  }
}
