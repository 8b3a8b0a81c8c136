/** One GET of a backend: nothing is followed, nothing inflated, the body cut after 64 KiB, certificates not judged. */
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import { hostPort } from '../../../../model/network/address.ts'
import type { BackendPlace, HttpQuestion, HttpSeen } from './port.ts'
import { answered, type Bounds } from './answered.ts'
import { troubleOf } from './trouble.ts'

const MOST_BYTES = 64 * 1024
const MOST_HEADER_BYTES = 16 * 1024

export const getOnce = (place: BackendPlace, question: HttpQuestion, bounds: Bounds): Promise<HttpSeen> =>
  answered<HttpSeen>(bounds, (answer) => {
    const request = begin(place, question)
    /** What came so far, of an answer that goes on longer than anybody waits. */
    let so_far: (() => HttpSeen) | null = null
    request.on('error', (error) => answer({ ok: false, trouble: troubleOf(error) }))
    request.once('upgrade', (response, socket) => {
      socket.destroy()
      answer(seen(response, [], false))
    })
    request.once('response', (response) => void (so_far = collect(response, answer)))
    request.end()
    return { connection: request, late: () => so_far?.() ?? { ok: false, trouble: 'timeout' } }
  })

function begin(place: BackendPlace, { tls, path, upgrade }: HttpQuestion): ClientRequest {
  const { address, port, name } = place
  const options = {
    host: address,
    port,
    path,
    method: 'GET',
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
    headers: {
      host: hostPort(name, port),
      'user-agent': 'plumbline-autodetect',
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(upgrade === true && UPGRADE),
    },
  } as const
  if (!tls) return plainRequest(options)
  return tlsRequest({ ...options, rejectUnauthorized: false, ...(isIP(name) === 0 && { servername: name }) })
}

/** RFC 6455 §4.1; the key may be any 16 bytes, and nothing is sent over the socket. */
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.from('plumbline-probe!').toString('base64'),
}

/** A body that goes on and on is cut; one that breaks off has shown its beginning. */
function collect(response: IncomingMessage, answer: (seen: HttpSeen) => void): () => HttpSeen {
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MOST_BYTES) answer(seen(response, chunks, true))
  })
  response.once('end', () => answer(seen(response, chunks, false)))
  response.once('error', () => answer(seen(response, chunks, true)))
  return () => seen(response, chunks, true)
}

function seen(response: IncomingMessage, chunks: readonly Buffer[], truncated: boolean): HttpSeen {
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return {
    ok: true,
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Readonly<Record<string, string>>,
    text: Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8'),
    truncated,
  }
}
