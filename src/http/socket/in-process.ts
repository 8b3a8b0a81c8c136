/** The way in without a socket: `app.request()`, with the `Request` of the web platform. */
import { streamBody } from '../body/body-limit.ts'
import type { Incoming, Origin } from '../middleware/way.ts'

/** The Host is that of the request's address unless a Host header is set. */
export const fromRequest = (request: Request, { peer = null, target, headers }: Origin = {}): Incoming => ({
  facts: {
    method: request.method,
    http_version: '1.1',
    target: target ?? targetOf(request.url),
    peer,
    headers: headers ?? linesOf(request),
    has_body: request.body !== null,
  },
  body: streamBody(request.body),
  signal: () => request.signal,
})

export const targetOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2))

function linesOf(request: Request): [string, string][] {
  const lines = [...request.headers]
  return request.headers.has('host') ? lines : [['host', new URL(request.url).host], ...lines]
}
