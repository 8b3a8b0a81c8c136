/** Work that must not overlap, such as two writes to one zone. */
import { untilAborted } from '../../../kernel/async/until-aborted.ts'

/** One piece of work at a time for each key, in the order of asking. */
export class TurnTaking {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Who waits and is aborted gives up the turn; who fails does not stop the next. */
  async take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = before.then(() => {
      signal.throwIfAborted()
      return work()
    })
    const done = mine.catch(() => undefined)
    this.#last.set(key, done)
    void done.then(() => {
      if (this.#last.get(key) === done) this.#last.delete(key)
    })
    return untilAborted(mine, signal)
  }
}
