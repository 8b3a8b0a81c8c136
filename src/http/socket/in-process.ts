/** Calling the façade without a socket, with the `Request` and `Response` of the web platform. */
import { streamBody } from '../body/body-limit.ts'
import type { Incoming } from '../pipeline.ts'
import type { Sealed } from '../plain.ts'
import type { RequestFacts } from '../access/request-facts.ts'

/** What a `Request` does not tell. */
export interface Origin {
  /** Who calls. There is no default; an unknown peer (null) is public. */
  readonly peer: string | null
  /** The raw target and header lines, where they differ from what `Request` makes of them. */
  readonly target?: string
  readonly headers?: RequestFacts['headers']
}

/** The Host is that of the request's address unless a Host header is set. */
export async function handle(
  answer: (incoming: Incoming) => Promise<Sealed>,
  request: Request,
  origin: Origin,
): Promise<Response> {
  const { status, headers, body } = await answer({
    facts: {
      method: request.method,
      http_version: '1.1',
      target: origin.target ?? targetOf(request.url),
      peer: origin.peer,
      headers: origin.headers ?? linesOf(request),
      has_body: request.body !== null,
    },
    body: streamBody(request.body),
    signal: () => request.signal,
  })
  return new Response(body as ReadableStream | string | null, { status, headers })
}

const targetOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2))

function linesOf(request: Request): [string, string][] {
  const lines = [...request.headers]
  return request.headers.has('host') ? lines : [['host', new URL(request.url).host], ...lines]
}
