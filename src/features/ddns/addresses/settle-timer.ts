/** Takes addresses that were reported too soon as they come due. By wall-clock time, so that sleep and a clock that is set skip nothing. */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { Loop } from '../../../kernel/async/loop.ts'
import type { AddressRegistry } from './address-registry.ts'

const LOOK_EVERY_MS: Milliseconds = 1000
const NOTHING_WAITS_MS: Milliseconds = 3_600_000

export interface SettleTimerParts {
  readonly addresses: AddressRegistry
  readonly clock: Clock
  readonly log: Log
}

export function settleTimer({ addresses, clock, log }: SettleTimerParts): Loop {
  const loop = new Loop({
    clock,
    least_ms: LOOK_EVERY_MS,
    round: async () => {
      await addresses.settleDue()
      return addresses.isWaiting() ? 0 : NOTHING_WAITS_MS
    },
    failed: (error) => log.warn('a reported address is due and not taken', { error }),
  })
  addresses.onWaiting(() => loop.wake())
  return loop
}
