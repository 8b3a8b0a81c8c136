/** A clock that a test moves by hand: sleepers wake when their time has come, and only then. */
import type { Clock, Milliseconds } from '../../../src/kernel/clock.ts'

export interface HandClock extends Clock {
  /** Moves time on and lets whoever slept until then go on. */
  pass(ms: Milliseconds): void
  /** How many are asleep. */
  sleepers(): number
}

/** Starts at 2026-07-22T10:15:00Z. */
export function handClock(): HandClock {
  const start = Date.UTC(2026, 6, 22, 10, 15)
  let now = 0
  const asleep = new Set<{ readonly at: Milliseconds; wake(): void }>()
  return {
    now: () => start + now,
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
