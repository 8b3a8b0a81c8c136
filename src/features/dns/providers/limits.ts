/**
 * Keeps a client within the limits of an API: within half of those that are published, where a request waits a little for its
 * turn or fails at once, and silent for as long as an answer asked for.
 */
import { parsedUrl } from '../../../io/http-client/errors.ts'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { HttpClient } from '../../../ports/http-client.ts'

export interface BudgetOptions {
  readonly clock: Clock
  /** Every one of them is kept, for each origin by itself. */
  readonly limits: readonly PublishedLimit[]
  /** A longer wait is a Failure (`provider_busy`) instead. */
  readonly max_wait_ms: Milliseconds
}

/** For what the machine does by itself; calls of people go past it. One wrapper for each account: limits are per account. */
export function withBudget(client: HttpClient, { clock, limits, max_wait_ms }: BudgetOptions): HttpClient {
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
      if (wait_ms > max_wait_ms) throw exhausted(origin, wait_ms)
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

// How fast we may ask: a token bucket as plain state over a monotonic clock.
//
// Half of a published limit is ours, the other half is left to the people who use the same account. A bucket that holds a
// quarter and refills at a quarter per window never lets more than half through in any window, wherever that begins.

interface PublishedLimit {
  readonly requests: number
  readonly within_ms: Milliseconds
}

interface Bucket {
  /** Below zero when requests are waiting for tokens that were promised to them. */
  readonly tokens: number
  /** Of the monotonic clock. */
  readonly at: Milliseconds
}

/** Small limits are rounded up to one request at a time. */
export const bucketSize = ({ requests }: PublishedLimit): number => Math.max(1, Math.floor(requests / 4))

const perMillisecond = (limit: PublishedLimit): number =>
  Math.max(limit.requests / 2 - bucketSize(limit), limit.requests / 4) / limit.within_ms

export const fullBucket = (limit: PublishedLimit, at: Milliseconds): Bucket => ({
  tokens: bucketSize(limit),
  at,
})

/** Takes one token; `wait_ms` says how long the request must hold on before it may go. */
export function take(
  bucket: Bucket,
  limit: PublishedLimit,
  at: Milliseconds,
): { readonly bucket: Bucket; readonly wait_ms: Milliseconds } {
  const rate = perMillisecond(limit)
  const filled = Math.min(bucketSize(limit), bucket.tokens + Math.max(0, at - bucket.at) * rate)
  const tokens = filled - 1
  return { bucket: { tokens, at }, wait_ms: tokens >= 0 ? 0 : Math.ceil(-tokens / rate) }
}

// 429 Too Many Requests and 503 Service Unavailable; on a redirect the header means something else.
const ASKS_TO_WAIT = [429, 503]

/**
 * Remembers `Retry-After`: until then nothing more is sent to that origin, since asking on prolongs a ban. The answer that
 * asks to wait is passed on; later requests fail at once with `provider_busy`.
 */
export function respectingRetryAfter(client: HttpClient, { clock }: { readonly clock: Clock }): HttpClient {
  /** By origin, on the monotonic clock. */
  const until = new Map<string, Milliseconds>()
  return {
    close: () => client.close(),
    request: async (request) => {
      const { origin } = parsedUrl(request.url)
      const left_ms = (until.get(origin) ?? 0) - clock.elapsed()
      if (left_ms > 0) throw banned(origin, left_ms)
      until.delete(origin)
      const reply = await client.request(request)
      if (ASKS_TO_WAIT.includes(reply.status) && reply.retry_after_ms !== null) {
        // Several requests may be under way: the longest wait that was asked for counts.
        const asked = clock.elapsed() + reply.retry_after_ms
        until.set(origin, Math.max(asked, until.get(origin) ?? asked))
      }
      return reply
    },
  }
}

const banned = (origin: string, left_ms: Milliseconds): Failure =>
  new Failure(
    'provider_busy',
    `${origin} asked to wait; the next request may go in ${Math.ceil(left_ms / 1000)} s.`,
    { retry_after_ms: Math.ceil(left_ms) },
  )
