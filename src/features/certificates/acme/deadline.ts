/** One bound over a piece of work that heeds a signal. */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { Failure } from '../../../kernel/failure.ts'

export interface Bound {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly ms: Milliseconds
  /** What is thrown when the time is up. */
  readonly late: () => Failure
}

/** The caller's abort is thrown as its reason. */
export async function withinDeadline<T>(
  { clock, signal, ms, late }: Bound,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController()
  const up = new AbortController()
  clock.sleep(ms, done.signal).then(
    () => up.abort(),
    () => undefined,
  )
  try {
    signal.throwIfAborted()
    return await work(AbortSignal.any([signal, up.signal]))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw up.signal.aborted ? late() : error
  } finally {
    done.abort()
  }
}
