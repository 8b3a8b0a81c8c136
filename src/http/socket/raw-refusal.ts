/** The answer to bytes that are not a request, written to the socket by hand: there is no response object for them. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure, type FailureCode } from '../../kernel/failure.ts'
import { SECURITY_HEADERS } from '../plain.ts'
import { problemOf } from '../problem.ts'

const REFUSALS: Readonly<Record<string, readonly [FailureCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and the headers are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['too_large', 'The extensions of the chunks are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}
const MALFORMED = ['malformed_request', 'These bytes are no HTTP request.'] as const

/** For the client to read it and to hang up. */
const LINGER_MS = 500

/** `code` is that of Node's error. A connection that was reset gets no answer. */
export function refuseRaw(socket: Duplex, code: string | null): void {
  if (code === 'ECONNRESET') return void socket.destroy()
  const request_id = randomUUID()
  const problem = problemOf(new Failure(...(REFUSALS[code ?? ''] ?? MALFORMED)), request_id)
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
