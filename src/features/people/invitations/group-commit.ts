/**
 * Small writes of many callers as few transactions: while one is being made durable, those that come gather for the next.
 * Each caller's promise resolves when its own work is durable, as with a transaction of its own.
 */
import type { Store, StoreWriter } from '../../../ports/store.ts'

type Work = (tx: StoreWriter) => Promise<void>

interface Waiting {
  readonly work: Work
  readonly done: PromiseWithResolvers<void>
}

export class GroupCommit {
  readonly #store: Pick<Store, 'write'>
  #waiting: Waiting[] = []
  #writing = false

  constructor(store: Pick<Store, 'write'>) {
    this.#store = store
  }

  /** Work that fails takes those along that were written with it: none of them has happened. */
  write(work: Work): Promise<void> {
    const done = Promise.withResolvers<void>()
    this.#waiting.push({ work, done })
    if (!this.#writing) void this.#drain()
    return done.promise
  }

  async #drain(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        await this.#store.write(async (tx) => {
          for (const { work } of group) await work(tx)
        })
        for (const { done } of group) done.resolve()
      } catch (error) {
        for (const { done } of group) done.reject(error)
      }
    }
    this.#writing = false
  }
}
