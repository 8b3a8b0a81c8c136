/**
 * One piece of work in each turn of the event loop: pages of several lists arrive together, and read one after the other
 * in the same turn they would keep everybody else waiting for the sum of them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Throws what the work throws. */
  take<T>(work: () => T): Promise<T> {
    const mine = this.#last.then(() => nextTurn()).then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
