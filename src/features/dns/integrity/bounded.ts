/** Work that ends by its time and is waited for: nothing of it goes on when its caller does. */
import { deadlineSignal } from '../../../kernel/async/deadline.ts'
import type { Bound } from '../../../kernel/async/with-timeout.ts'

/**
 * Gives the work a signal that ends with the time or with the caller's. What it throws when the time is up is only that,
 * and the caller sees what got done.
 */
export async function within(
  { clock, ms, signal }: Bound & { readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const deadline = deadlineSignal(clock, ms)
  try {
    await work(AbortSignal.any([signal, deadline.signal]))
  } catch (error) {
    signal.throwIfAborted()
    if (!deadline.signal.aborted) throw error
  } finally {
    deadline.end()
  }
}
