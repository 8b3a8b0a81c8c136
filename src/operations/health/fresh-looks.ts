/** One fresh look at everything that is kept true, for all who ask at the same time, with an end. Nothing is written. */
import type { Look } from '../../engine/look.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { HealthReason } from '../../model/health.ts'
import { LOOK_MOST_MS } from './kept-look.ts'

/** By key; or why nothing could be looked at. */
export type FreshLooks =
  | { readonly known: true; readonly looks: ReadonlyMap<string, Look> }
  | { readonly known: false; readonly reason: HealthReason; readonly message: string }

export interface FreshLookParts {
  readonly clock: Clock
  readonly log: Log
  readonly looks: (signal: AbortSignal, most_ms: Milliseconds) => Promise<readonly Look[]>
}

/** What a single look may take, so that all of it ends in time. */
const ONE_MOST_MS: Milliseconds = LOOK_MOST_MS - 200

export class FreshLooking {
  readonly #parts: FreshLookParts
  #looking: Promise<FreshLooks> | null = null

  constructor(parts: FreshLookParts) {
    this.#parts = parts
  }

  /** Never throws. */
  take(): Promise<FreshLooks> {
    this.#looking ??= this.#take().finally(() => (this.#looking = null))
    return this.#looking
  }

  async #take(): Promise<FreshLooks> {
    const { clock } = this.#parts
    const over = new AbortController()
    const late = clock.sleep(LOOK_MOST_MS, over.signal).then(
      () => LATE,
      () => LATE,
    )
    try {
      return await Promise.race([this.#looks(over.signal), late])
    } finally {
      over.abort(new DOMException('The look has taken too long.', 'TimeoutError'))
    }
  }

  async #looks(signal: AbortSignal): Promise<FreshLooks> {
    const { log, looks } = this.#parts
    try {
      const found = await looks(signal, ONE_MOST_MS)
      return { known: true, looks: new Map(found.map((look) => [look.key, look])) }
    } catch (error) {
      if (error instanceof Failure) return { known: false, reason: 'unreachable', message: error.message }
      if (!signal.aborted) log.error('fresh look for the health page broke', { error })
      return { known: false, reason: 'broken', message: 'It could not be looked at; the log has the reason.' }
    }
  }
}

const LATE: FreshLooks = {
  known: false,
  reason: 'timed_out',
  message: `It could not be looked at within ${LOOK_MOST_MS} ms.`,
}
