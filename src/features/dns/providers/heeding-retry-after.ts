/** Remembers `Retry-After`: until then nothing more is sent to that origin, since asking on prolongs a ban. */
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { HttpClient } from '../../../ports/http-client.ts'
import { parsedUrl } from '../../../io/http-client/trouble.ts'

// 429 Too Many Requests and 503 Service Unavailable; on a redirect the header means something else.
const ASKS_TO_WAIT = [429, 503]

/** The answer that asks to wait is passed on; later requests fail at once with `provider_busy`. */
export function heedingRetryAfter(client: HttpClient, { clock }: { readonly clock: Clock }): HttpClient {
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
