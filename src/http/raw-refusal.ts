/** The answer to bytes that are not a request, written to the socket by hand: there is no response object for them. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { SECURITY_HEADERS } from './plain.ts'
import { PROBLEM_TYPE } from './problem.ts'

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** For the client to read it and to hang up. */
const LINGER_MS = 500

/** `code` is that of Node's error. A connection that was reset gets no answer. */
export function refuseRaw(socket: Duplex, code: string | null): void {
  if (code === 'ECONNRESET') return void socket.destroy()
  const status = STATUS[code ?? ''] ?? 400
  const title = STATUS_CODES[status]!
  const request_id = randomUUID()
  const body = JSON.stringify({
    type: 'about:blank',
    title,
    status,
    instance: `urn:uuid:${request_id}`,
    request_id,
  })
  const headers = {
    ...SECURITY_HEADERS,
    'x-request-id': request_id,
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`)
  // Who does not hang up would hold the connection for ever: no limit of Node's runs any more.
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(cut))
}
