/**
 * How fast we may ask: a token bucket as plain state over a monotonic clock.
 *
 * Half of a published limit is ours, the other half is left to the people who use the same account. A bucket that holds a
 * quarter and refills at a quarter per window never lets more than half through in any window, wherever that begins.
 */
import type { Milliseconds } from '../../../kernel/clock.ts'

export interface PublishedLimit {
  readonly requests: number
  readonly within_ms: Milliseconds
}

export interface Bucket {
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
