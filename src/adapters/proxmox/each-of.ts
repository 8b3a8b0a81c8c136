/** Work on many things, a few at a time. */

export interface EachOptions {
  readonly at_once: number
  readonly signal: AbortSignal
}

/** Resolves when all are done, or soon after the signal. What `work` throws after the signal is dropped, else passed on. */
export async function eachOf<T>(
  all: readonly T[],
  { at_once, signal }: EachOptions,
  work: (one: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = all[Symbol.iterator]()
  const worker = async () => {
    for (const one of queue) {
      if (signal.aborted) return
      try {
        await work(one, signal)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: at_once }, worker))
}
