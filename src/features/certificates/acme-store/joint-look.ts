/**
 * One look at a time. The store is large and many may ask at once: who asks while a look runs shares it, and a look that
 * nobody waits for any more is given up.
 */
interface Running<T> {
  readonly found: Promise<T>
  readonly end: AbortController
  waiting: number
}

export class JointLook<T> {
  readonly #look: (signal: AbortSignal) => Promise<T>
  #running: Running<T> | null = null

  constructor(look: (signal: AbortSignal) => Promise<T>) {
    this.#look = look
  }

  /** Rejects with the reason of this caller's signal as soon as it aborts; the others go on waiting. */
  join(signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    const running = (this.#running ??= this.#begin())
    running.waiting++
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason as Error)
        if (--running.waiting === 0) this.#giveUp(running, signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      void running.found.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  #begin(): Running<T> {
    const end = new AbortController()
    const found = this.#look(end.signal)
    const running: Running<T> = { found, end, waiting: 0 }
    void found.finally(() => this.#forget(running)).catch(() => undefined)
    return running
  }

  #giveUp(running: Running<T>, reason: unknown): void {
    this.#forget(running)
    running.end.abort(reason)
  }

  #forget(running: Running<T>): void {
    if (this.#running === running) this.#running = null
  }
}
