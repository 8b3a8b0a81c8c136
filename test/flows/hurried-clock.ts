/** A clock for what is not about real time: half a minute of waiting for a provider is over at once. */
import { systemClock } from '../../src/kernel/clock.ts'
import { ANSWER_TIMEOUT_MS } from '../../src/core/background/background.ts'

/** Deadlines of a call to the provider and of a look for a caller, and the caller's own. */
const REAL = new Set([2000, 5000, ANSWER_TIMEOUT_MS])

/** Waits pass at once, and the clock says that they did: nothing here is about real time. */
export function hurriedClock() {
  let ahead = 0
  return {
    slept: [] as number[],
    now: () => systemClock.now() + ahead,
    elapsed: () => systemClock.elapsed() + ahead,
    async sleep(ms: number, signal?: AbortSignal) {
      // Deadlines of calls are real ones, and so is how long a caller waits for an answer.
      if (REAL.has(ms)) return systemClock.sleep(ms, signal)
      this.slept.push(ms)
      await systemClock.sleep(0, signal)
      ahead += ms
    },
  }
}
