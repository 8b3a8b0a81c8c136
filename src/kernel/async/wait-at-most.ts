/** A wait with an end: for what goes on by itself, whether or not anybody waits for it. */
import type { Milliseconds } from '../clock.ts'

/** Resolves when the work has ended or the time is over; rejects as the work does. Real time, whatever clock the daemon has. */
export async function waitAtMost(work: Promise<unknown> | null, max_ms: Milliseconds): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, max_ms)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
