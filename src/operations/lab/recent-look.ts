/**
 * One source of the network, looked at when somebody asks: once for all who ask at the same time, and not again for a
 * while, so that a page that many watch costs its source no more than one. Every look has an end.
 */
import type { Clock, Milliseconds } from '../../kernel/clock.ts'
import { SingleFlight } from '../../kernel/single-flight.ts'
import { withTimeout } from '../../kernel/with-timeout.ts'
import type { LabLook } from '../../ports/lab.ts'

export interface RecentLookOptions<State> {
  readonly name: string
  readonly clock: Clock
  readonly keep_ms: Milliseconds
  readonly look: (signal: AbortSignal) => Promise<LabLook<State>>
}

const LOOK_MOST_MS: Milliseconds = 10_000
/** What failed is tried again sooner. */
const KEEP_TROUBLE_MS: Milliseconds = 2000

export class RecentLook<State> {
  readonly #options: RecentLookOptions<State>
  readonly #end = new AbortController()
  #kept: { readonly look: LabLook<State>; readonly until_ms: Milliseconds } | null = null
  readonly #looking = new SingleFlight(() => this.#look())

  constructor(options: RecentLookOptions<State>) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  async get(): Promise<LabLook<State>> {
    if (this.#kept !== null && this.#options.clock.elapsed() < this.#kept.until_ms) return this.#kept.look
    return this.#looking.join()
  }

  /** What is kept may be wrong by now. */
  changed(): void {
    this.#kept = null
  }

  /** Ends a look that is under way. */
  stop(): void {
    this.#end.abort(new Error('stopped'))
  }

  async #look(): Promise<LabLook<State>> {
    const { clock, keep_ms } = this.#options
    const began_ms = clock.elapsed()
    const look = await this.#bounded()
    const keep = look.known ? keep_ms : Math.min(keep_ms, KEEP_TROUBLE_MS)
    // A look that took long is kept for a while after its end, else it would be old before anybody had it.
    this.#kept = { look, until_ms: began_ms + Math.max(keep, clock.elapsed() - began_ms + keep / 2) }
    return look
  }

  async #bounded(): Promise<LabLook<State>> {
    const { name, clock, look } = this.#options
    const { signal } = this.#end
    const silent = (why: string): LabLook<State> => ({
      known: false,
      reason: 'unreachable',
      detail: `${name} ${why}.`,
      at: clock.now(),
    })
    const late = () => silent(`did not answer within ${LOOK_MOST_MS / 1000} s`)
    try {
      return await withTimeout({ clock, ms: LOOK_MOST_MS, signal }, look, late)
    } catch (error) {
      if (!signal.aborted) throw error
      return silent('is not asked any more')
    }
  }
}
