/**
 * The lock, as soon as one who holds it for a moment lets it go: a command without a daemon, or a look at whether it is free.
 * A daemon keeps it, and is not waited for.
 */
import { type Clock, type Milliseconds, systemClock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Holder } from '../../ports/lock.ts'
import { holdLock, readHolder } from './lock.ts'

const EVERY_MS: Milliseconds = 100

export interface LockGrace {
  readonly max_ms: Milliseconds
  /** Called once, with the one that is waited for. */
  readonly waits: (holder: Holder) => void
  /** Ends the wait early. */
  readonly signal?: AbortSignal
}

/** Throws `data_directory_in_use`, naming the holder, where a daemon holds it or the time is over. */
export async function lockInTurn(
  directory: string,
  { max_ms, waits, signal }: LockGrace,
  clock: Clock = systemClock,
): Promise<ReturnType<typeof holdLock>> {
  const until = clock.elapsed() + max_ms
  let is_announced = false
  for (;;) {
    try {
      return holdLock(directory, clock)
    } catch (error) {
      const is_over = signal?.aborted === true || clock.elapsed() >= until
      if (!(error instanceof Failure) || error.code !== 'data_directory_in_use' || is_over) throw error
      const holder = readHolder(directory)
      if (typeof holder?.listen === 'string') throw error
      if (holder !== null && !is_announced) {
        waits(holder)
        is_announced = true
      }
    }
    await clock.sleep(EVERY_MS, signal).catch(() => undefined)
  }
}
