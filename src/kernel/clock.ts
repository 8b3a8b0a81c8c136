/** Time as a thing that is handed in, so that tests own it. */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number
export type Milliseconds = number

export interface Clock {
  /** Wall-clock time: may step when the host's clock is set. For due times that must survive a restart. */
  now(): Instant
  /** Monotonic milliseconds from an arbitrary start: for durations. Never steps. */
  elapsed(): Milliseconds
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: Milliseconds, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error)
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', abort, { once: true })
    }),
}

/** RFC 3339 in UTC with milliseconds, the only form in which a time leaves the program. */
export const isoTime = (at: Instant): string => new Date(at).toISOString()

export const isoTimeOrNull = (at: Instant | null): string | null => (at === null ? null : isoTime(at))

/** Clocks of one host that read each other's times differ by less. */
const STEADY_MS: Milliseconds = 60_000

/** Whether what happened then lies ahead: it was kept before the clock was set back, and what was to wait for it waits no more. */
export const isFromAhead = (happened_at: Instant, now: Instant): boolean => happened_at > now + STEADY_MS

/** Null for a time that has passed: it is not when anything comes. */
export const upcoming = (at: Instant | null, now: Instant): Instant | null =>
  at === null || at <= now ? null : at
