/**
 * A subscription as the body of an answer. It is read from only when the reader takes something: whoever is slow keeps
 * one page in memory and is cut off when it takes nothing for too long.
 */
import type { Milliseconds } from '../../kernel/clock.ts'
import type { Shares } from '../../core/shares.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { Subscription, SubscriptionStep } from '../../core/events/subscription.ts'
import { eventText, HEARTBEAT, type Hello, hintText, missedText, opening } from './server-sent-events.ts'

export interface StreamLimits {
  readonly heartbeat_ms: Milliseconds
  /** A reader that has taken nothing for so long is cut off. */
  readonly stall_ms: Milliseconds
  /** What a reader has left to take the rest once the trail has ended. */
  readonly farewell_ms: Milliseconds
  /** Streams at once. */
  readonly streams: Shares
}

export const STREAM_LIMITS: StreamLimits = {
  heartbeat_ms: 15_000,
  stall_ms: 30_000,
  farewell_ms: 1000,
  streams: { all: 64, readers: 48, reader: 16 },
}

export interface StreamParts {
  readonly log: EventLog
  readonly subscription: Subscription
  readonly hello: Hello
  /** Aborts when the reader has gone. */
  readonly signal: AbortSignal
  readonly limits: StreamLimits
  /** Called once, however the stream ends. */
  readonly closed: () => void
}

/** Fails towards its reader only by being cut: it comes back and goes on where it was. */
export const eventStream = (parts: StreamParts): ReadableStream<Uint8Array> =>
  new ReadableStream(new Source(parts), { highWaterMark: 0 })

type Controller = ReadableStreamDefaultController<Uint8Array>

class Source {
  readonly #parts: StreamParts
  readonly #encoder = new TextEncoder()
  readonly #over = new AbortController()
  readonly #leave = () => this.#cut('The reader has gone.')
  #controller: Controller | null = null
  #greeted = false
  /** Runs while the reader owes a taking. */
  #stall: NodeJS.Timeout | null = null
  #stopListening = (): void => undefined

  constructor(parts: StreamParts) {
    this.#parts = parts
  }

  start(controller: Controller): void {
    const { log, signal } = this.#parts
    this.#controller = controller
    this.#stopListening = log.onChange(() => {
      if (log.ended && this.#stall !== null) this.#watch()
    })
    this.#watch()
    if (signal.aborted) this.#leave()
    else signal.addEventListener('abort', this.#leave, { once: true })
  }

  async pull(controller: Controller): Promise<void> {
    this.#unwatch()
    const text = await this.#next().catch((error: unknown) => this.#failed(error))
    if (this.#over.signal.aborted) return
    if (text === null) {
      this.cancel()
      controller.close()
      return
    }
    controller.enqueue(this.#encoder.encode(text))
    this.#watch()
  }

  /** The end, whoever brings it about. */
  cancel(): void {
    if (this.#over.signal.aborted) return
    this.#unwatch()
    this.#stopListening()
    this.#parts.signal.removeEventListener('abort', this.#leave)
    this.#over.abort()
    this.#parts.closed()
  }

  async #next(): Promise<string | null> {
    const { subscription, limits, hello } = this.#parts
    if (this.#greeted) return textOf(await subscription.next(limits.heartbeat_ms, this.#over.signal))
    this.#greeted = true
    return opening(subscription.seen, hello)
  }

  /** A store that cannot be read ends the stream: its reader comes back and goes on. */
  #failed(error: unknown): never {
    this.cancel()
    throw error
  }

  #watch(): void {
    const { log, limits } = this.#parts
    this.#unwatch()
    const max_ms = log.ended ? limits.farewell_ms : limits.stall_ms
    this.#stall = setTimeout(() => this.#cut('The reader took nothing for too long.'), max_ms)
  }

  #unwatch(): void {
    if (this.#stall !== null) clearTimeout(this.#stall)
    this.#stall = null
  }

  #cut(why: string): void {
    if (this.#over.signal.aborted) return
    this.cancel()
    this.#controller?.error(new Error(why))
  }
}

function textOf(step: SubscriptionStep): string | null {
  switch (step.kind) {
    case 'end':
      return null
    case 'quiet':
      return HEARTBEAT
    case 'events': {
      const missed = step.missed === null ? '' : missedText(step.missed)
      return missed + step.events.map(eventText).join('') + step.hints.map(hintText).join('')
    }
  }
}
