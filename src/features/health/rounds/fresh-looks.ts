/**
 * A fresh look at everything that is kept true, with an end. All who ask while one is under way share the next: what is under
 * way may have begun before what they ask about. Nothing is written.
 */
import type { LiveStatus } from '../../../engine/status/key-status.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import { SingleFlight } from '../../../kernel/async/single-flight.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { HealthReason } from '../../../model/health.ts'
import { MAX_LOOK_MS } from './kept-look.ts'

/** By key; or why nothing could be looked at. */
export type FreshLooks =
  | { readonly known: true; readonly looks: ReadonlyMap<string, LiveStatus> }
  | { readonly known: false; readonly reason: HealthReason; readonly message: string }

export interface FreshLookParts {
  readonly clock: Clock
  readonly log: Log
  readonly looks: (signal: AbortSignal, max_ms: Milliseconds) => Promise<readonly LiveStatus[]>
}

/** What a single look may take, so that all of it ends in time. */
const MAX_ONE_MS: Milliseconds = MAX_LOOK_MS - 200

export class FreshLooking {
  readonly #parts: FreshLookParts
  readonly #looking = new SingleFlight(() => this.#look())

  constructor(parts: FreshLookParts) {
    this.#parts = parts
  }

  /** Never throws. */
  take(): Promise<FreshLooks> {
    return this.#inTime(() => this.#looking.afresh())
  }

  #look(): Promise<FreshLooks> {
    return this.#inTime((signal) => this.#looks(signal))
  }

  #inTime(look: (signal: AbortSignal) => Promise<FreshLooks>): Promise<FreshLooks> {
    return withTimeout({ clock: this.#parts.clock, ms: MAX_LOOK_MS }, look, () => LATE)
  }

  async #looks(signal: AbortSignal): Promise<FreshLooks> {
    const { log, looks } = this.#parts
    try {
      const found = await looks(signal, MAX_ONE_MS)
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
  message: `It could not be looked at within ${MAX_LOOK_MS} ms.`,
}
