/**
 * Looks again when the next thing could be due, and by wall-clock time in short steps, so that sleep and a clock that is set
 * skip nothing. With nothing to watch it does not wake at all.
 */
import type { Clock, Milliseconds } from '../clock.ts'
import type { Log } from '../log.ts'
import { Loop } from './loop.ts'

const MIN_MS: Milliseconds = 1000
const MAX_MS: Milliseconds = 30_000
const NOTHING_TO_WATCH_MS: Milliseconds = 24 * 3_600_000

/** How long until the first could be due, `Infinity` where none is; null where there is nothing to watch. */
export type LeftUntilDue = Milliseconds | null

export interface DueLoopOptions {
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  /** What is watched, in the plural. */
  readonly what: string
  readonly look: () => Promise<LeftUntilDue>
}

export class DueLoop {
  readonly #loop: Loop

  constructor({ clock, log, what, look }: DueLoopOptions) {
    this.#loop = new Loop({
      clock,
      round: async () => {
        const left_ms = await look()
        return left_ms === null ? NOTHING_TO_WATCH_MS : Math.min(MAX_MS, Math.max(MIN_MS, left_ms))
      },
      failed: (error) => log.warn(`${what} not watched`, { error }),
    })
  }

  start(): void {
    this.#loop.start()
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** There are others than before. */
  changed(): void {
    this.#loop.wake()
  }
}
