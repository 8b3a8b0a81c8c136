/** An answer in its two stages: as a handler gave it, and as it leaves. */

/** Complete, and in the form that Idempotency-Key remembers. Header names are lower case. */
export interface Plain {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** What goes over the wire: the body is there, absent, or still streaming. */
export interface Sealed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null
}

/**
 * On every answer. The browser may load nothing from an answer, frame it, guess its type, or hand it to another site;
 * an endpoint that serves pages says its own policy.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

const WITHOUT_BODY = [204, 304]

export interface Ending {
  readonly request_id: string
  readonly method: string
}

/** Adds the security headers where the answer has none of its own, the request id and the length. */
export function seal(answer: Plain | Response, { request_id, method }: Ending): Sealed {
  const { status } = answer
  const own = answer instanceof Response ? Object.fromEntries(answer.headers) : answer.headers
  const headers: Record<string, string> = { ...SECURITY_HEADERS, ...own, 'x-request-id': request_id }
  if (WITHOUT_BODY.includes(status)) return { status, headers, body: null }
  if (!(answer instanceof Response)) headers['content-length'] = String(Buffer.byteLength(answer.body))
  if (method !== 'HEAD') return { status, headers, body: answer.body }
  // A stream that nobody will read must not stay open.
  if (answer instanceof Response) void answer.body?.cancel()
  return { status, headers, body: null }
}
