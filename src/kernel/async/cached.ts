/** One answer that is asked for again only when it has grown old. Whoever asks while it is being asked for shares the asking. */
import type { Clock, Milliseconds } from '../clock.ts'

export interface CachedParts<T, Asked> {
  readonly clock: Clock
  readonly ask: (asked: Asked) => Promise<T>
  /** How long an answer is kept from its coming on. A failure is not kept. */
  readonly keepFor: (answer: T, took_ms: Milliseconds) => Milliseconds
  /** Told of each answer that is kept. */
  readonly kept?: (answer: T) => void
}

export class Cached<T, Asked = void> {
  readonly #parts: CachedParts<T, Asked>
  #asking: Promise<T> | null = null
  #last: T | null = null
  /** On the monotonic clock. */
  #until_ms: Milliseconds = -Infinity
  /** What is being asked for is not kept. */
  #is_outdated = false

  constructor(parts: CachedParts<T, Asked>) {
    this.#parts = parts
  }

  /** What was kept last, however old; null before the first. */
  get last(): T | null {
    return this.#last
  }

  /** Null while nothing is asked. */
  get asking(): Promise<T> | null {
    return this.#asking
  }

  async get(asked: Asked): Promise<T> {
    if (this.#last !== null && this.#parts.clock.elapsed() < this.#until_ms) return this.#last
    return this.#asking ?? this.#ask(asked)
  }

  /** What is kept may be wrong by now, and so may what is being asked for: the next caller asks anew. */
  forget(): void {
    this.#until_ms = -Infinity
    this.#asking = null
  }

  /** What is kept is old by now. What is being asked for is still shared, and told to those who wait; it is old when it comes. */
  outdate(): void {
    this.#until_ms = -Infinity
    this.#is_outdated = this.#asking !== null
  }

  #ask(asked: Asked): Promise<T> {
    const { clock, ask, keepFor, kept } = this.#parts
    const began_ms = clock.elapsed()
    const asking = ask(asked)
    this.#is_outdated = false
    const isCurrent = () => this.#asking === asking
    this.#asking = asking
    asking.then(
      (answer) => {
        if (!isCurrent()) return
        const now_ms = clock.elapsed()
        this.#asking = null
        this.#last = answer
        this.#until_ms = this.#is_outdated ? -Infinity : now_ms + keepFor(answer, now_ms - began_ms)
        kept?.(answer)
      },
      // Whoever waits is told; where nobody waits any more it must not end the process.
      () => {
        if (isCurrent()) this.#asking = null
      },
    )
    return asking
  }
}
