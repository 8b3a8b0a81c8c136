/** The answer to bytes that are not a request, written to the socket by hand: there is no response object for them. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import { SECURITY_HEADERS } from '../plain.ts'
import { problemOf } from '../problem.ts'

const refusals = (header_bytes: number): Readonly<Record<string, readonly [FailureCode, string]>> => ({
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    `The request line and the headers are larger than ${header_bytes / 1024} KiB. Send fewer or shorter headers and cookies.`,
  ],
  // Node's own limit, which no option moves.
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['too_large', 'The extensions of the chunks are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
})
const MALFORMED = ['malformed_request', 'These bytes are no HTTP request.'] as const

/** For the client to read it and to hang up. */
const LINGER_MS = 500

export interface RawRefusal {
  /** That of Node's error. */
  readonly code: string | null
  /** The limit of the header section. */
  readonly header_bytes: number
}

/** A connection that was reset gets no answer. */
export function refuseRaw(socket: Duplex, { code, header_bytes }: RawRefusal): void {
  if (code === 'ECONNRESET') return void socket.destroy()
  const request_id = randomUUID()
  const problem = problemOf(new Failure(...(refusals(header_bytes)[code ?? ''] ?? MALFORMED)), request_id)
  const body = JSON.stringify(problem.body)
  const headers = {
    ...SECURITY_HEADERS,
    ...problem.headers,
    'x-request-id': request_id,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]!}\r\n${lines.join('')}\r\n${body}`)
  // Who does not hang up would hold the connection for ever: no limit of Node's runs any more.
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(cut))
}
