/** A clock that goes on only when a test lets it: both its sides, and whoever sleeps wakes when their time has come. */
import type { Clock, Instant, Milliseconds } from '../../src/kernel/clock.ts'

export interface HandClock extends Clock {
  /** Moves time on and lets whoever slept until then go on. */
  pass(ms: Milliseconds): void
  /** How many are asleep. */
  sleepers(): number
}

/** @param began now, where the rest of the world goes by the clock of the machine; else 2026-07-22T10:15:00Z */
export function handClock(began: Instant = Date.UTC(2026, 6, 22, 10, 15)): HandClock {
  let now = 0
  const asleep = new Set<{ readonly at: Milliseconds; wake(): void }>()
  return {
    now: () => began + now,
    elapsed: () => now,
    sleepers: () => asleep.size,
    pass(ms) {
      now += ms
      for (const sleeper of asleep) if (sleeper.at <= now) sleeper.wake()
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        const abort = () => {
          asleep.delete(sleeper)
          reject(signal?.reason as Error)
        }
        const sleeper = {
          at: now + ms,
          wake() {
            asleep.delete(sleeper)
            signal?.removeEventListener('abort', abort)
            resolve()
          },
        }
        asleep.add(sleeper)
        signal?.addEventListener('abort', abort, { once: true })
      }),
  }
}
