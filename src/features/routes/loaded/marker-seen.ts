/**
 * Says when the proxy runs a routes file that was written a moment ago: the file names itself by a middleware, and the
 * proxy's API shows it once it is loaded. Whoever wants to ask through the proxy need not guess how long that takes.
 */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Log } from '../../../kernel/log.ts'
import type { ProxyMiddleware, SearchableProxy } from '../traefik/port.ts'

export interface MarkerParts {
  readonly api: SearchableProxy
  readonly clock: Clock
  readonly log: Log
  /** What the names of markers begin with. */
  readonly prefix: string
  /** The marker of the newest release; null for none. */
  readonly newest: () => Promise<string | null>
  /**
   * The proxy shows the marker of the newest release. `is_new`: it did not show it before, so it has just loaded it. A file
   * that was changed within one release has the marker that was there before, and proves nothing.
   */
  readonly shown: (is_new: boolean) => void
}

const BETWEEN_MS: Milliseconds = 250
/** A proxy that takes longer has refused the file, or is not there. */
const WAITS_MS: Milliseconds = 30_000
const ANSWERS_WITHIN_MS: Milliseconds = 2_000

export class MarkerSeen {
  readonly #parts: MarkerParts
  #waiting = new AbortController()
  #running: Promise<void> = Promise.resolve()
  /** The last one that the proxy was seen to run. */
  #shown: string | null = null

  constructor(parts: MarkerParts) {
    this.#parts = parts
  }

  /** The file was written. Who still waits for an earlier one waits for this one now. */
  written(): void {
    this.#waiting.abort()
    const waiting = new AbortController()
    this.#waiting = waiting
    this.#running = this.#wait(waiting.signal).catch((error: unknown) => {
      if (!waiting.signal.aborted)
        this.#parts.log.warn('not seen whether the proxy loaded the routes', { error })
    })
  }

  async close(): Promise<void> {
    this.#waiting.abort()
    await this.#running
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { clock, shown, newest } = this.#parts
    const until = clock.elapsed() + WAITS_MS
    const wanted = await newest()
    if (wanted === null) return
    for (let is_first = true; clock.elapsed() < until; is_first = false) {
      if (await this.#shows(wanted, signal)) {
        const is_new = this.#shown === null ? !is_first : this.#shown !== wanted
        this.#shown = wanted
        if (!signal.aborted) shown(is_new)
        return
      }
      await clock.sleep(BETWEEN_MS, signal)
    }
  }

  /** False also where it does not answer. */
  async #shows(wanted: string, signal: AbortSignal): Promise<boolean> {
    const { api, prefix } = this.#parts
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)])
    const found = await api.middlewaresNamed(prefix, bounded).catch(noneAnswered)
    return found.some(
      ({ name, provider }) => name === `${wanted}@${provider}` && FROM_FILE.includes(provider),
    )
  }
}

function noneAnswered(error: unknown): readonly ProxyMiddleware[] {
  if (error instanceof Failure || error instanceof DOMException) return []
  throw error
}

/** A label on somebody's container can be called anything. */
const FROM_FILE: readonly string[] = ['file', 'http']
