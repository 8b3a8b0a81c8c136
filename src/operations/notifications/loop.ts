/** Work that comes round: again after the wait that it asked for, or as soon as it is woken. */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { waitAtMost } from '../../kernel/wait-at-most.ts'

export interface LoopParts {
  readonly clock: Clock
  /** Resolves with the longest wait until the next round. Its errors are `failed`'s. */
  readonly round: (signal: AbortSignal) => Promise<Milliseconds>
  readonly failed: (error: unknown) => void
  /** The shortest time between two rounds, however often it is woken. */
  readonly least_ms: Milliseconds
}

const AFTER_FAILURE_MS: Milliseconds = 30_000

export class Loop {
  readonly #parts: LoopParts
  #running: { readonly end: AbortController; readonly done: Promise<void> } | null = null
  #woken = new AbortController()

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#running !== null) return
    const end = new AbortController()
    this.#running = { end, done: this.#run(end.signal) }
  }

  /** Resolves when nothing runs any more, at the latest after that time. */
  async stop(patience_ms: Milliseconds): Promise<void> {
    if (this.#running === null) return
    const { end, done } = this.#running
    end.abort()
    await waitAtMost(done, patience_ms)
    this.#running = null
  }

  wake(): void {
    this.#woken.abort()
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, round, failed, least_ms } = this.#parts
    const sleep = (ms: Milliseconds, ...until: AbortSignal[]) =>
      clock.sleep(ms, AbortSignal.any([signal, ...until])).catch(() => undefined)
    while (!signal.aborted) {
      this.#woken = new AbortController()
      const wait_ms = await round(signal).catch((error: unknown) => {
        if (!signal.aborted) failed(error)
        return AFTER_FAILURE_MS
      })
      await sleep(least_ms)
      await sleep(wait_ms, this.#woken.signal)
    }
  }
}
