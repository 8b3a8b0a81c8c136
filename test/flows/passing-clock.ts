/**
 * The real clock, with time that can be let pass: whoever waits for something to be due waits no longer than that, as on a
 * host that slept. Deadlines, which are short, are not let pass; a busy machine may stretch them: then the clock's own time
 * runs slower by as much.
 */
import { type Clock, type Milliseconds, systemClock } from '../../src/kernel/clock.ts'

export interface PassingClock extends Clock {
  pass(ms: Milliseconds): void
}

/** No look of the health page waits longer than this for what it looks at. */
const DEADLINES_MS: Milliseconds = 2000

/** @param stretch how many real milliseconds one of a deadline takes */
export function passingClock(stretch = 1): PassingClock {
  let passed_ms = 0
  const waiting = new Set<{ readonly due_ms: Milliseconds; readonly end: AbortController }>()
  const elapsed = () => systemClock.elapsed() / stretch + passed_ms
  return {
    now: () => systemClock.now() + passed_ms,
    elapsed,
    async sleep(ms, signal) {
      if (ms <= DEADLINES_MS) return systemClock.sleep(ms * stretch, signal)
      const one = { due_ms: elapsed() + ms, end: new AbortController() }
      waiting.add(one)
      try {
        await systemClock.sleep(ms, AbortSignal.any([one.end.signal, ...(signal ? [signal] : [])]))
      } catch (error) {
        if (signal?.aborted === true) throw error
      } finally {
        waiting.delete(one)
      }
    },
    pass(ms) {
      passed_ms += ms
      for (const { due_ms, end } of waiting) if (due_ms <= elapsed()) end.abort()
    },
  }
}
