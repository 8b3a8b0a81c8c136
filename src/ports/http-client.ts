/**
 * Asking an outside HTTP API.
 *
 * Contract: nothing is followed, nothing is retried unless the caller says so, the body is bounded, every wait ends. Any
 * status is an answer. A connection that fails, a deadline that passes or a body above a limit is a Failure
 * (`component_unavailable`) that names origin and path, never a query, a header or a body.
 */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpReply>
  close(): Promise<void>
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is, where it is no JSON; name its type in `headers`. */
  readonly body?: string | Uint8Array
  readonly signal: AbortSignal
  /** For connecting, sending and reading together; when left out 5 s for a GET, 15 s for the rest. */
  readonly deadline_ms?: number
  /** Bytes of the answer's body; 16 MiB when left out. */
  readonly max_bytes?: number
  /** Values of an answer that is JSON; those of `JSON_BOUNDS` when left out. */
  readonly max_values?: number
  /** Also where the peer is known not to answer: somebody waits for it to come up. */
  readonly insists?: true
}

export interface HttpReply {
  readonly status: number
  /** The reason phrase, where some APIs keep their message (RFC 9112 §4); empty when there is none. */
  readonly status_text?: string
  /** Lower-case names; several of one name joined by a comma and a blank. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Milliseconds that the other side asked to wait: `Retry-After` in seconds or as a date (RFC 9110 §10.2.3); null without one. */
  readonly retry_after_ms: number | null
}
