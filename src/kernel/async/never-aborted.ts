/** The signal of work that nobody gives up: it ends by its own deadlines. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal
