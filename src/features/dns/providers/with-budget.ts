/** Keeps a client within half of a published limit: a request waits a little for its turn, or fails at once. */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { HttpClient } from '../../../ports/http-client.ts'
import { type Bucket, fullBucket, type PublishedLimit, take } from './budget.ts'
import { parsedUrl } from '../../../io/http-client/trouble.ts'

export interface BudgetOptions {
  readonly clock: Clock
  /** Every one of them is kept, for each origin by itself. */
  readonly limits: readonly PublishedLimit[]
  /** A longer wait is a Failure (`provider_busy`) instead. */
  readonly most_wait_ms: Milliseconds
}

/** For what the machine does by itself; calls of people go past it. One wrapper for each account: limits are per account. */
export function withBudget(client: HttpClient, { clock, limits, most_wait_ms }: BudgetOptions): HttpClient {
  const origins = new Map<string, readonly Bucket[]>()
  return {
    close: () => client.close(),
    request: async (request) => {
      const { origin } = parsedUrl(request.url)
      request.signal.throwIfAborted()
      const now = clock.elapsed()
      const buckets = origins.get(origin) ?? limits.map((limit) => fullBucket(limit, now))
      const taken = limits.map((limit, i) => take(buckets[i]!, limit, now))
      const wait_ms = Math.max(0, ...taken.map((one) => one.wait_ms))
      if (wait_ms > most_wait_ms) throw exhausted(origin, wait_ms)
      origins.set(
        origin,
        taken.map((one) => one.bucket),
      )
      if (wait_ms > 0) await clock.sleep(wait_ms, request.signal)
      return client.request(request)
    },
  }
}

const exhausted = (origin: string, wait_ms: Milliseconds): Failure =>
  new Failure(
    'provider_busy',
    `Half of the limit that ${origin} publishes is used up; the next request may go in ${Math.ceil(wait_ms / 1000)} s.`,
    { retry_after_ms: wait_ms },
  )
