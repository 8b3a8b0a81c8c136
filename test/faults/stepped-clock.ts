/** A clock that can be set while the house runs, as an operator or a time server does it: the monotonic side goes on. */
import { type Clock, type Milliseconds, systemClock } from '../../src/kernel/clock.ts'

export interface SteppedClock extends Clock {
  step(by_ms: Milliseconds): void
}

export function steppedClock(): SteppedClock {
  let offset_ms = 0
  return {
    ...systemClock,
    now: () => Date.now() + offset_ms,
    step: (by_ms) => void (offset_ms += by_ms),
  }
}
