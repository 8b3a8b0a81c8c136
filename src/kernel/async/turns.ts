/**
 * One piece of work at a time for each key.
 *
 * Invariant: turns are taken in the order of arrival, a turn that fails or is given up passes on, and no more is kept of a
 * key than its last turn.
 */
import { untilAborted } from './until-aborted.ts'

export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs `work` when it is its turn. A signal that aborts while waiting gives the place up; its reason is thrown. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    const turn = (before ?? Promise.resolve()).then(() => done)
    this.#last.set(key, turn)
    try {
      if (before !== undefined) await untilAborted(before, signal)
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
