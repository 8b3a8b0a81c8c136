/** A clock in which nobody waits: who sleeps is at once as much later. */
import type { Clock, Milliseconds } from '../../src/kernel/clock.ts'

export interface HandTime extends Clock {
  /** How long each slept, in their order. */
  readonly slept: readonly Milliseconds[]
  /** Time goes by. */
  pass(ms: Milliseconds): void
  /** Somebody sets the clock: no time goes by. */
  set(ms: Milliseconds): void
}

/** Starts at 2026-07-22T10:15:00Z. */
export function handTime(): HandTime {
  let now = Date.UTC(2026, 6, 22, 10, 15)
  let elapsed = 0
  const slept: Milliseconds[] = []
  const pass = (ms: Milliseconds): void => {
    now += ms
    elapsed += ms
  }
  return {
    slept,
    now: () => now,
    elapsed: () => elapsed,
    pass,
    set: (ms) => {
      now += ms
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      slept.push(ms)
      pass(ms)
    },
  }
}
