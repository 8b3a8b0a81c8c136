/** Work with an end: so many at once, and no longer than that. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'

/** Runs the work for every item, at most `most` at once. The first failure is thrown when all that began have ended. */
export async function pooled<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const lanes = Array.from({ length: Math.min(most, items.length) }, async () => {
    for (const item of rest) await work(item)
  })
  const outcomes = await Promise.allSettled(lanes)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Waits for work that others may have begun, and no longer than the signal lets; the work itself goes on. */
export async function heeding<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

export interface Bound {
  readonly clock: Clock
  readonly within_ms: Milliseconds
  readonly signal: AbortSignal
}

/**
 * Gives the work a signal that ends with the time or with the caller's. What it throws when the time is up is only that,
 * and the caller sees what got done.
 */
export async function within(
  { clock, within_ms, signal }: Bound,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const late = new AbortController()
  const over = new AbortController()
  const timer = clock.sleep(within_ms, over.signal).then(
    () => late.abort(new Error(`not done within ${within_ms / 1000} s`)),
    () => undefined,
  )
  try {
    await work(AbortSignal.any([signal, late.signal]))
  } catch (error) {
    signal.throwIfAborted()
    if (!late.signal.aborted) throw error
  } finally {
    over.abort()
    await timer
  }
}
