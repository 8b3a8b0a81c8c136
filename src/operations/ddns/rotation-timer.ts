/**
 * Looks at the rotation's calendar at start and then every hour. By wall-clock time and not by one long timer, so that
 * sleep and a clock that is set skip nothing.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type RotationParts, rotateBySchedule } from './rotate-by-schedule.ts'

const LOOK_EVERY_MS: Milliseconds = 3_600_000

export interface RotationTimerParts extends RotationParts {
  readonly clock: Clock
  readonly log: Log
}

export class RotationTimer {
  readonly #parts: RotationTimerParts
  #running: { readonly end: AbortController; readonly done: Promise<void> } | null = null

  constructor(parts: RotationTimerParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#running !== null) return
    const end = new AbortController()
    this.#running = { end, done: this.#run(end.signal) }
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#running?.end.abort()
    await this.#running?.done
    this.#running = null
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts
    while (!signal.aborted) {
      try {
        await rotateBySchedule(this.#parts, clock.now())
      } catch (error) {
        log.warn('tokens not rotated', { error })
      }
      const slept = await clock.sleep(LOOK_EVERY_MS, signal).then(
        () => true,
        () => false,
      )
      if (!slept) return
    }
  }
}
