/** The clock of the machine, which a test moves while the house runs. Sleeps are real: nobody wakes earlier for it. */
import { type Clock, type Milliseconds, systemClock } from '../../src/kernel/clock.ts'

export interface MovedClock extends Clock {
  /** Time goes by: both sides move. */
  pass(ms: Milliseconds): void
  /** It is set, as an operator or a time server does it: the monotonic side goes on. */
  step(ms: Milliseconds): void
  /** For limits of calls in a minute: from here on, however slow the machine is, only `pass` makes room for one more. */
  limitsStandStill(): MovedClock
}

/** @param stands only a test moves its wall-clock side, so that what is due on a busy machine is due on every other */
export function movedClock({ stands = false } = {}): MovedClock {
  const began_at = Date.now()
  let passed_ms: Milliseconds = 0
  let set_ms: Milliseconds = 0
  let elapsed = () => systemClock.elapsed()
  const clock: MovedClock = {
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    now: () => (stands ? began_at : Date.now()) + passed_ms + set_ms,
    elapsed: () => elapsed() + passed_ms,
    pass: (ms) => void (passed_ms += ms),
    step: (ms) => void (set_ms += ms),
    limitsStandStill() {
      const since = Math.ceil(systemClock.elapsed())
      elapsed = () => since
      return clock
    },
  }
  return clock
}
