/** A clock that goes on only when it is told to: both its sides step, and whoever sleeps wakes when the time has come. */
import type { Clock, Milliseconds } from '../../src/kernel/clock.ts'

export interface HandClock extends Clock {
  step(by_ms: Milliseconds): void
}

export function handClock(): HandClock {
  const began = Date.now()
  let at_ms: Milliseconds = 0
  const sleepers = new Map<() => void, Milliseconds>()
  return {
    now: () => began + at_ms,
    elapsed: () => at_ms,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        const abort = () => {
          sleepers.delete(wake)
          reject(signal?.reason as Error)
        }
        const wake = () => {
          sleepers.delete(wake)
          signal?.removeEventListener('abort', abort)
          resolve()
        }
        signal?.addEventListener('abort', abort, { once: true })
        sleepers.set(wake, at_ms + ms)
      }),
    step: (by_ms) => {
      at_ms += by_ms
      for (const [wake, due_ms] of sleepers) if (due_ms <= at_ms) wake()
    },
  }
}
