/**
 * One write in flight for each zone. Whoever writes to a zone takes it: the target, and those who answer challenges.
 *
 * Invariant: turns are taken in the order of arrival, a turn that fails or is given up passes on, and no more is kept of
 * a zone than its last turn.
 */
export class ZoneLock {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs `work` when it is its turn. A signal that aborts while waiting gives the place up. */
  async run<T>(account: string, zone: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([account, zone])
    const before = this.#last.get(key)
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    const turn = (before ?? Promise.resolve()).then(() => done)
    this.#last.set(key, turn)
    try {
      if (before !== undefined) await waitFor(before, signal)
      signal.throwIfAborted()
      return await work()
    } finally {
      finish()
      if (this.#last.get(key) === turn) void turn.then(() => this.#forget(key, turn))
    }
  }

  #forget(key: string, turn: Promise<void>): void {
    if (this.#last.get(key) === turn) this.#last.delete(key)
  }
}

/** Ends with the signal's reason as soon as it aborts. */
async function waitFor(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([turn, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
