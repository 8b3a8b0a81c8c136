/**
 * Telling by a POST of JSON.
 *
 * `X-Plumbline-Delivery` is the same at every try of one message. With a secret, `X-Plumbline-Signature` is
 * `v1=` + HMAC-SHA-256 in hexadecimal over `v1:TIMESTAMP.BODY`, where TIMESTAMP is that of the try as it stands in
 * `X-Plumbline-Timestamp` (seconds since 1970): whoever checks both takes no old message for a new one.
 * Redirects are not followed: a message must not reach whom nobody named. The path of the address is often a key, so
 * only its origin is ever said.
 */
import { createHmac } from 'node:crypto'
import type { Clock, Milliseconds } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import type { HttpClient, HttpReply } from '../../../ports/http-client.ts'
import type { Notifier, NotifierOutcome } from '../channels/notifier.ts'

export interface WebhookOptions {
  readonly url: Secret
  /** Null: what is sent is not signed. */
  readonly key: Secret | null
  readonly http: HttpClient
  readonly clock: Clock
}

const DEADLINE_MS: Milliseconds = 10_000
const MAX_BYTES = 64 * 1024

export function webhook({ url, key, http, clock }: WebhookOptions): Notifier {
  const { origin, host } = new URL(url.reveal())
  return {
    // Two hooks of one host are told apart without saying either.
    name: `webhook-${sha256([url.reveal()]).slice(0, 8)}`,
    kind: 'webhook',
    target: host,
    async send(message, signal) {
      const body = JSON.stringify(message)
      const timestamp = String(Math.floor(clock.now() / 1000))
      const headers = {
        'content-type': 'application/json',
        'x-plumbline-delivery': message.id,
        'x-plumbline-timestamp': timestamp,
        ...(key === null ? {} : { 'x-plumbline-signature': signature(key, timestamp, body) }),
      }
      try {
        const bounds = { deadline_ms: DEADLINE_MS, max_bytes: MAX_BYTES }
        return outcomeOf(
          await http.request({ method: 'POST', url: url.reveal(), headers, body, signal, ...bounds }),
          origin,
        )
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof Failure)) throw error
        return { kind: 'passing', detail: withoutPath(error.message, url), retry_after_ms: 0 }
      }
    },
  }
}

const signature = (key: Secret, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', key.reveal()).update(`v1:${timestamp}.${body}`).digest('hex')}`

function outcomeOf({ status, retry_after_ms }: HttpReply, origin: string): NotifierOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', detail: null }
  if (status === 408 || status === 429 || status >= 500)
    return { kind: 'passing', detail: `${origin} answered ${status}.`, retry_after_ms: retry_after_ms ?? 0 }
  const why = status < 400 ? ', and redirects are not followed: set the address that it leads to' : ''
  return { kind: 'refused', detail: `${origin} answered ${status}${why}.` }
}

function withoutPath(message: string, url: Secret): string {
  const { origin, pathname } = new URL(url.reveal())
  return message.replaceAll(`${origin}${pathname}`, origin)
}
