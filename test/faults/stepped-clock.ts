/** A clock that can be set while the house runs, as an operator or a time server does it: the monotonic side goes on. */
import { type Clock, type Milliseconds, systemClock } from '../../src/kernel/clock.ts'

export interface SteppedClock extends Clock {
  step(by_ms: Milliseconds): void
}

/** @param stands only a step moves it, so that what is due on a busy machine is due on every other */
export function steppedClock({ stands = false } = {}): SteppedClock {
  let offset_ms = 0
  const began_at = Date.now()
  return {
    ...systemClock,
    now: () => (stands ? began_at : Date.now()) + offset_ms,
    step: (by_ms) => void (offset_ms += by_ms),
  }
}

/** For limits of calls in a minute: however slow the machine is, it makes no room for one more. */
export function limitsStandStill(): Clock {
  const elapsed = systemClock.elapsed()
  return { ...systemClock, elapsed: () => elapsed }
}
