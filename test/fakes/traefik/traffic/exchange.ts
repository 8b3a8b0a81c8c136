/** One request on its way through the proxy, and what stands on that way. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { HeaderList } from './header-list.ts'
import { HeaderList as Headers } from './header-list.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly entrypoint: string
  readonly is_secure: boolean
  /** Of whoever opened the connection. */
  readonly address: string
  /** As it was sent. */
  readonly host: string
  readonly method: string
  /** Path and query as they were sent, until a middleware says otherwise. */
  url: string
  /** Of the question; what goes on to the backend. */
  readonly headers: HeaderList
  /** What was said of the answer on the way in, done to it on the way out: by the outermost last. */
  readonly on_answer: ((headers: HeaderList) => void)[]
  /** What came after the headers of a request that asks to change the protocol; null for all others. */
  readonly upgrade_head: Buffer | null
}

export type Handler = (exchange: Exchange) => void | Promise<void>
export type Middleware = (next: Handler) => Handler

export interface Reply {
  readonly status: number
  readonly headers?: HeaderList | Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** An answer of the proxy's own. */
export function reply(
  exchange: Exchange,
  { status, headers, body = STATUS_CODES[status] ?? '' }: Reply,
): void {
  const list = headers instanceof Headers ? headers : Headers.from(Object.entries(headers ?? {}).flat())
  writeHead(exchange, status, list)
  exchange.response.end(exchange.method === 'HEAD' ? undefined : body)
}

/** With what the middlewares have to say of it. */
export function writeHead({ response, on_answer }: Exchange, status: number, headers: HeaderList): void {
  for (const change of on_answer.toReversed()) change(headers)
  response.writeHead(status, headers.raw())
}

export const pathOf = ({ url }: Pick<Exchange, 'url'>): string => url.split('?', 1)[0]!
export const queryOf = ({ url }: Pick<Exchange, 'url'>): string => url.slice(pathOf({ url }).length)

export const notFound: Handler = (exchange) =>
  reply(exchange, {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: '404 page not found\n',
  })
