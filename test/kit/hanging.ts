/** Calls that never answer. */
const hangs = (): Promise<never> => new Promise<never>(() => undefined)

/** Ends only when it is told to, with the reason for that. */
export const heeds = (signal: AbortSignal): Promise<never> =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/** Both of them, as rows of a table of tests. */
export const WAYS_TO_HANG = [
  ['heeds nothing', hangs],
  ['heeds its end', heeds],
] as const
