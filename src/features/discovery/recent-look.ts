/**
 * One source of the network, looked at when somebody asks: once for all who ask at the same time, and not again for a
 * while, so that a page that many watch costs its source no more than one. Every look has an end.
 */
import { Cached } from '../../kernel/async/cached.ts'
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { withTimeout } from '../../kernel/async/with-timeout.ts'
import type { LabLook } from './model/lab-port.ts'

export interface RecentLookOptions<State> {
  readonly name: string
  readonly clock: Clock
  readonly keep_ms: Milliseconds
  readonly look: (signal: AbortSignal) => Promise<LabLook<State>>
}

const MAX_LOOK_MS: Milliseconds = 10_000
/** What failed is tried again sooner. */
const KEEP_FAILURE_MS: Milliseconds = 2000

export class RecentLook<State> {
  readonly #options: RecentLookOptions<State>
  readonly #end = new AbortController()
  readonly #looks: Cached<LabLook<State>>

  constructor(options: RecentLookOptions<State>) {
    this.#options = options
    const { clock, keep_ms } = options
    this.#looks = new Cached({
      clock,
      ask: () => this.#look(),
      keepFor: ({ known }, took_ms) => {
        const keep = known ? keep_ms : Math.min(keep_ms, KEEP_FAILURE_MS)
        // A look that took long is kept for a while after its end, else it would be old before anybody had it.
        return Math.max(keep - took_ms, keep / 2)
      },
    })
  }

  get name(): string {
    return this.#options.name
  }

  get(): Promise<LabLook<State>> {
    return this.#looks.get()
  }

  /** What is kept may be wrong by now. */
  changed(): void {
    this.#looks.outdate()
  }

  /** Ends a look that is under way. */
  stop(): void {
    this.#end.abort(new Error('stopped'))
  }

  async #look(): Promise<LabLook<State>> {
    const { name, clock, look } = this.#options
    const { signal } = this.#end
    const silent = (why: string): LabLook<State> => ({
      known: false,
      reason: 'unreachable',
      detail: `${name} ${why}.`,
      at: clock.now(),
    })
    const late = () => silent(`did not answer within ${MAX_LOOK_MS / 1000} s`)
    try {
      return await withTimeout({ clock, ms: MAX_LOOK_MS, signal }, look, late)
    } catch (error) {
      if (!signal.aborted) throw error
      return silent('is not asked any more')
    }
  }
}
