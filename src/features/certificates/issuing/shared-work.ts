/** One piece of work for each name at a time; who asks for the same meanwhile gets the same. */
import { untilAborted } from '../../../kernel/async/until-aborted.ts'

interface Running<T> {
  readonly what: string
  readonly result: Promise<T>
  readonly signal: AbortSignal
}

export class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>()

  isRunning(name: string): boolean {
    return this.#running.has(name)
  }

  /**
   * Runs `work` unless the same is under way; then its result is shared. Work that ended because its own caller went away,
   * or that was for something else, is done again.
   * @param what tells whether two pieces of work for a name are the same
   */
  async run({ name, what, signal }: Wanted, work: () => Promise<T>): Promise<T> {
    for (;;) {
      signal.throwIfAborted()
      const other = this.#running.get(name)
      if (other === undefined) return this.#start({ name, what, signal }, work)
      const same = await endOf(other, what, signal)
      if (same !== null) return same.result
    }
  }

  async #start({ name, what, signal }: Wanted, work: () => Promise<T>): Promise<T> {
    const result = work().finally(() => this.#running.delete(name))
    this.#running.set(name, { what, result, signal })
    return result
  }
}

interface Wanted {
  readonly name: string
  readonly what: string
  readonly signal: AbortSignal
}

/** Null where its end says nothing to us. Rejects with our signal's reason. */
async function endOf<T>(other: Running<T>, what: string, signal: AbortSignal): Promise<Running<T> | null> {
  const ended = other.result.catch(() => undefined)
  await untilAborted(ended, signal)
  return other.what === what && !other.signal.aborted ? other : null
}
