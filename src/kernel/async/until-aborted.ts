/** Makes a wait end by its signal even where the system call under it does not (a hung network file system). */

/** Settles as `work` does, or rejects with the signal's reason; the abandoned work ends on its own, unheard. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
